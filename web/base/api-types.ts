/** Made from the operations that are served: `npm run api-types`. Not edited by hand. */
export interface paths {
  "/api/token": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Issue an access token for a login and password, or for a refresh token
     * @description Needs no token.
     */
    post: operations["api.token.create"];
    /**
     * Revoke the presented access token and its refresh token
     * @description Needs an access token of any role.
     */
    delete: operations["api.token.revoke"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/users/me": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the current user
     * @description Needs an access token of any role.
     */
    get: operations["api.users.me"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Change the current user; a new password revokes all their tokens
     * @description Needs an access token of any role.
     */
    patch: operations["api.users.updateMe"];
    trace?: never;
  };
  "/api/browser-session": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the current session: user, permissions and CSRF token
     * @description Needs an access token of any role.
     */
    get: operations["api.browserSession.get"];
    put?: never;
    /**
     * Sign in with a session cookie; for pages of this platform only
     * @description Needs no token.
     */
    post: operations["api.browserSession.open"];
    /**
     * Sign out and remove the session cookie
     * @description Needs no token.
     */
    delete: operations["api.browserSession.close"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/users/me/sessions": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the browser sessions of the current user, most recently used first
     * @description Needs an access token of any role.
     */
    get: operations["api.users.me.sessions.list"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/users/me/sessions/{sessionId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Revoke a browser session of the current user
     * @description Needs an access token of any role.
     */
    delete: operations["api.users.me.sessions.end"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/users/me/api-tokens": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the API tokens of the current user, newest first
     * @description Needs an access token of any role.
     */
    get: operations["api.users.me.apiTokens.list"];
    put?: never;
    /**
     * Create an API token; it is shown only once
     * @description Needs an access token of any role.
     */
    post: operations["api.users.me.apiTokens.create"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/users/me/api-tokens/{tokenId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Revoke an API token of the current user
     * @description Needs an access token of any role.
     */
    delete: operations["api.users.me.apiTokens.end"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/enterprises/{enterpriseId}/api-tokens": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the API tokens of the enterprise's users, newest first
     * @description Needs the permission `users.write`.
     */
    get: operations["api.enterprises.apiTokens.list"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/enterprises/{enterpriseId}/api-tokens/{tokenId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Revoke an API token of a user
     * @description Needs the permission `users.write`.
     */
    delete: operations["api.enterprises.apiTokens.end"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/password/request": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a password-reset link to the user with this login
     * @description Needs no token.
     */
    post: operations["api.password.request"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/password": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Set a new password with the single-use token of a mailed link
     * @description Needs no token.
     */
    post: operations["api.password.set"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/checkUserToken": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Verify that an access token is valid and belongs to this user
     * @description Needs no token.
     */
    post: operations["api.token.check"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/users": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the users of the enterprise
     * @description Needs the permission `users.read`.
     */
    get: operations["api.users.list"];
    put?: never;
    /**
     * Create a user; without a password, a link to set one is mailed
     * @description Needs the permission `users.write`. Also at `POST /api/createUser`.
     */
    post: operations["api.users.create"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/users/{userId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a user
     * @description Needs the permission `users.read`.
     */
    get: operations["api.users.get"];
    put?: never;
    post?: never;
    /**
     * Deactivate a user and delete their personal data
     * @description Needs the permission `users.write`.
     */
    delete: operations["api.users.delete"];
    options?: never;
    head?: never;
    /**
     * Change a user; a new password or deactivation revokes all their tokens, another role all except API tokens
     * @description Needs the permission `users.write`.
     */
    patch: operations["api.users.update"];
    trace?: never;
  };
  "/api/users/{userId}/password-reset": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send the user a password-reset link that is valid for one hour
     * @description Needs the permission `users.write`.
     */
    post: operations["api.users.resetPassword"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/users/{userId}/tokens": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Revoke all tokens of a user
     * @description Needs the permission `users.write`.
     */
    delete: operations["api.users.signOut"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/enterprises": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the caller's enterprise and those it manages
     * @description Needs the permission `enterprises.read`.
     */
    get: operations["api.enterprises.list"];
    put?: never;
    /**
     * Create an enterprise with its first administrator and services
     * @description Needs the permission `enterprises.create`.
     */
    post: operations["api.enterprises.create"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/enterprises/{enterpriseId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read an enterprise
     * @description Needs the permission `enterprises.read`.
     */
    get: operations["api.enterprises.get"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Change the settings of an enterprise
     * @description Needs the permission `enterprises.write`.
     */
    patch: operations["api.enterprises.update"];
    trace?: never;
  };
  "/api/enterprises/{enterpriseId}/statistics": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the usage of an enterprise: users and storage now, SMS and sessions in a period (default: the last 30 days)
     * @description Needs the permission `enterprises.read`.
     */
    get: operations["api.enterprises.statistics"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/enterprises/{enterpriseId}/quota": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the quotas of an enterprise and their use; daily quotas count the last 24 hours
     * @description Needs the permission `enterprises.read`.
     */
    get: operations["api.enterprises.quota"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/enterprises/{enterpriseId}/users": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the users of an enterprise
     * @description Needs the permission `users.read`.
     */
    get: operations["api.enterprises.users"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/enterprises/{enterpriseId}/services": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the services of an enterprise
     * @description Needs the permission `services.read`.
     */
    get: operations["api.enterprises.services"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/enterprises/{enterpriseId}/user-groups": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the groups of an enterprise and their members, by name
     * @description Needs the permission `users.read`.
     */
    get: operations["api.enterprises.groups.list"];
    put?: never;
    /**
     * Create a group
     * @description Needs the permission `users.write`.
     */
    post: operations["api.enterprises.groups.create"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/enterprises/{enterpriseId}/user-groups/{groupId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Delete a group that no ticket or service uses
     * @description Needs the permission `users.write`.
     */
    delete: operations["api.enterprises.groups.delete"];
    options?: never;
    head?: never;
    /**
     * Rename a group, or replace its members
     * @description Needs the permission `users.write`.
     */
    patch: operations["api.enterprises.groups.update"];
    trace?: never;
  };
  "/api/enterprises/{enterpriseId}/domains": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the domains that may embed this platform's pages
     * @description Needs the permission `enterprises.read`.
     */
    get: operations["api.enterprises.domains.list"];
    put?: never;
    /**
     * Add an allowed domain, optionally with an alias of this platform
     * @description Needs the permission `enterprises.write`.
     */
    post: operations["api.enterprises.domains.create"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/enterprises/{enterpriseId}/domains/{domainId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Delete an allowed domain
     * @description Needs the permission `enterprises.write`.
     */
    delete: operations["api.enterprises.domains.delete"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/services": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the services of the enterprise, or find one by its key
     * @description Needs the permission `services.read`.
     */
    get: operations["api.services.list"];
    put?: never;
    /**
     * Create a service with its first entry point
     * @description Needs the permission `services.write`.
     */
    post: operations["api.services.create"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/users/me/services": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the services available to the current user, oldest first
     * @description Needs an access token of any role.
     */
    get: operations["api.users.me.services.list"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/services/{serviceId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a service
     * @description Needs the permission `services.read`.
     */
    get: operations["api.services.get"];
    put?: never;
    post?: never;
    /**
     * Delete a service; its tickets and conferences are kept
     * @description Needs the permission `services.write`.
     */
    delete: operations["api.services.delete"];
    options?: never;
    head?: never;
    /**
     * Change the settings of a service
     * @description Needs the permission `services.write`.
     */
    patch: operations["api.services.update"];
    trace?: never;
  };
  "/api/services/{serviceId}/rotate-key": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Rotate the key of a service; the old key stops working
     * @description Needs the permission `services.write`.
     */
    post: operations["api.services.rotateKey"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/services/{serviceId}/survey": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the survey of a service
     * @description Needs the permission `services.read`.
     */
    get: operations["api.services.survey.get"];
    /**
     * Replace the survey of a service
     * @description Needs the permission `services.write`.
     */
    put: operations["api.services.survey.put"];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/services/{serviceId}/buttons": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the entry points of a service, oldest first
     * @description Needs the permission `services.read`.
     */
    get: operations["api.services.buttons.list"];
    put?: never;
    /**
     * Add an entry point to a service
     * @description Needs the permission `services.write`.
     */
    post: operations["api.services.buttons.create"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/services/{serviceId}/buttons/{buttonId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Delete an entry point; its tickets are kept
     * @description Needs the permission `services.write`.
     */
    delete: operations["api.services.buttons.delete"];
    options?: never;
    head?: never;
    /**
     * Rename, enable or disable an entry point
     * @description Needs the permission `services.write`.
     */
    patch: operations["api.services.buttons.update"];
    trace?: never;
  };
  "/api/enterprises/{enterpriseId}/audit": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the audit log of an enterprise
     * @description Needs the permission `audit.read`.
     */
    get: operations["api.enterprises.audit"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/tickets": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List tickets
     * @description Needs the permission `tickets.read`.
     */
    get: operations["api.v3.tickets.list"];
    put?: never;
    /**
     * Create a ticket
     * @description Needs the permission `tickets.write`.
     */
    post: operations["api.v3.tickets.create"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/tickets/{ticketId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a ticket
     * @description Needs the permission `tickets.read`.
     */
    get: operations["api.v3.tickets.get"];
    put?: never;
    post?: never;
    /**
     * Delete a ticket
     * @description Needs the permission `tickets.write`.
     */
    delete: operations["api.v3.tickets.delete"];
    options?: never;
    head?: never;
    /**
     * Change fields of a ticket
     * @description Needs the permission `tickets.write`.
     */
    patch: operations["api.v3.tickets.update"];
    trace?: never;
  };
  "/api/tickets/{ticketId}/take": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Take a ticket: assign it to the calling agent
     * @description Needs the permission `tickets.take`.
     */
    post: operations["api.v3.tickets.take"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/tickets/{ticketId}/agent": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Assign a ticket to another agent
     * @description Needs the permission `tickets.transfer`.
     */
    put: operations["api.v3.tickets.transfer"];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/tickets/{ticketId}/approve": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Approve a new ticket
     * @description Needs the permission `tickets.assign`.
     */
    post: operations["api.v3.tickets.approve"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/tickets/{ticketId}/reject": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Refuse to handle a ticket
     * @description Needs the permission `tickets.assign`.
     */
    post: operations["api.v3.tickets.reject"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/tickets/{ticketId}/complete": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * End the work on a ticket
     * @description Needs the permission `tickets.write`.
     */
    post: operations["api.v3.tickets.complete"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/tickets/{ticketId}/cancel": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Cancel a ticket
     * @description Needs the permission `tickets.write`.
     */
    post: operations["api.v3.tickets.cancel"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/tickets/{ticketId}/close": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Close an ended ticket
     * @description Needs the permission `tickets.assign`.
     */
    post: operations["api.v3.tickets.close"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/tickets/{ticketId}/invitations": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Invite the customer by mail and SMS, or by the given `channels`
     * @description Needs the permission `tickets.write`.
     */
    post: operations["api.v3.tickets.invite"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/tickets/{ticketId}/colleagues": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the colleagues who can join the call of a ticket or take it over
     * @description Needs the permission `tickets.write`.
     */
    get: operations["api.v3.tickets.colleagues"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/buttons/{buttonId}/requests": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Request assistance as a customer, at an entry point
     * @description Needs no token.
     */
    post: operations["api.v3.buttons.request"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/tickets/{ticketId}/events": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the timeline of a ticket, oldest entry first
     * @description Needs the permission `tickets.events.read`.
     */
    get: operations["api.v3.tickets.events"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/tickets/{ticketId}/messages": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the SMS and mails of a ticket with their delivery status
     * @description Needs the permission `tickets.read`.
     */
    get: operations["api.v3.tickets.messages"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/enterprises/{enterpriseId}/tickets-stats": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Export one row per ticket created in a period, as JSON or CSV
     * @description Needs the permission `stats.read`.
     */
    get: operations["api.v3.enterprises.ticketsStats"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/enterprises/{enterpriseId}/tickets-stats/rows": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the same rows, page by page
     * @description Needs the permission `stats.read`.
     */
    get: operations["api.v3.enterprises.ticketsStatsRows"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/enterprises/{enterpriseId}/tickets-stats/summary": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read totals of the tickets of a period: overall, by day, by service and by agent
     * @description Needs the permission `stats.read`.
     */
    get: operations["api.v3.enterprises.ticketsStatsSummary"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/enterprises/{enterpriseId}/sessions-stats": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Export one row per session that ended in a period, as JSON or CSV
     * @description Needs the permission `stats.read`.
     */
    get: operations["api.v3.enterprises.sessionsStats"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/enterprises/{enterpriseId}/sessions-stats/summary": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read totals of the sessions of a period: overall, by day and by service
     * @description Needs the permission `stats.read`.
     */
    get: operations["api.v3.enterprises.sessionsStatsSummary"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/tickets/{ticketId}/room-token": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Issue a room token for the ticket's agent
     * @description Needs the permission `tickets.write`.
     */
    post: operations["api.v3.tickets.roomToken"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/tickets/{ticketId}/position-requests": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Ask the customer for their position
     * @description Needs the permission `tickets.write`.
     */
    post: operations["api.v3.tickets.askPosition"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/tickets/{ticketId}/position": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the last position of the customer, with its accuracy
     * @description Needs the permission `tickets.read`.
     */
    get: operations["api.v3.tickets.position"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/guest/tickets/{secret}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read what the customer's link refers to
     * @description Needs no token.
     */
    get: operations["api.v3.guest.link"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/guest/information/{code}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read what the short information link refers to
     * @description Needs no token.
     */
    get: operations["api.v3.guest.information"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/guest/tickets/{secret}/token": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Start a visit: issue a room token for the customer
     * @description Needs no token.
     */
    post: operations["api.v3.guest.token"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/guest/ice": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the STUN and TURN servers, to check the network before the call
     * @description Needs a room token of one of the roles requestor.
     */
    get: operations["api.v3.guest.ice"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/guest/visit": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the progress of this visit
     * @description Needs a room token of one of the roles requestor.
     */
    get: operations["api.v3.guest.visit"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/guest/click": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Report that a person opened the page
     * @description Needs a room token of one of the roles requestor.
     */
    post: operations["api.v3.guest.click"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/guest/decline": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Decline the invitation
     * @description Needs a room token of one of the roles requestor.
     */
    post: operations["api.v3.guest.decline"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/guest/consent": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Accept the terms and the privacy notice
     * @description Needs a room token of one of the roles requestor.
     */
    post: operations["api.v3.guest.consent"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/guest/position-requests/{requestId}/answer": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a position, or decline
     * @description Needs a room token of one of the roles requestor.
     */
    post: operations["api.v3.guest.position"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/guest/devices": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Report the permissions for camera and microphone
     * @description Needs a room token of one of the roles requestor.
     */
    post: operations["api.v3.guest.devices"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/guest/accept": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Enter the room, after consent and device check
     * @description Needs a room token of one of the roles requestor.
     */
    post: operations["api.v3.guest.accept"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/guest/survey": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the survey of the ended session
     * @description Needs a room token of one of the roles requestor.
     */
    get: operations["api.v3.guest.survey"];
    put?: never;
    /**
     * Answer the survey, once per session
     * @description Needs a room token of one of the roles requestor.
     */
    post: operations["api.v3.guest.answerSurvey"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/tickets/{ticketId}/experts": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the experts whose link into the call of a ticket is valid
     * @description Needs the permission `tickets.write`.
     */
    get: operations["api.v3.tickets.experts.list"];
    put?: never;
    /**
     * Invite an expert into the running call of a ticket
     * @description Needs the permission `tickets.write`.
     */
    post: operations["api.v3.tickets.experts.invite"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/guest/experts/{secret}/token": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Enter a call as an invited expert: issue a room token
     * @description Needs no token.
     */
    post: operations["api.v3.guest.experts.token"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/conferences": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Find conferences
     * @description Needs the permission `conferences.read`.
     */
    get: operations["api.v3.conferences.list"];
    put?: never;
    /**
     * Create a conference
     * @description Needs the permission `conferences.write`.
     */
    post: operations["api.v3.conferences.create"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/conferences/{conferenceId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a conference
     * @description Needs the permission `conferences.read`.
     */
    get: operations["api.v3.conferences.get"];
    put?: never;
    post?: never;
    /**
     * Cancel a conference and notify the invited guests
     * @description Needs the permission `conferences.write`.
     */
    delete: operations["api.v3.conferences.delete"];
    options?: never;
    head?: never;
    /**
     * Change fields of a conference
     * @description Needs the permission `conferences.write`.
     */
    patch: operations["api.v3.conferences.update"];
    trace?: never;
  };
  "/api/conferences/{conferenceId}/end": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * End a running conference for everyone
     * @description Needs the permission `conferences.write`.
     */
    post: operations["api.v3.conferences.end"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/conferences/{conferenceId}/invitations": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Invite the named guests to a conference, or all guests again
     * @description Needs the permission `conferences.write`.
     */
    post: operations["api.v3.conferences.invite"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/conferences/{conferenceId}/participants": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the invited guests and the participants of a conference
     * @description Needs the permission `conferences.read`.
     */
    get: operations["api.v3.conferences.participants"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/conferences/{conferenceId}/checkAccess": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the caller's access to a conference: allowed or not, role, and waiting state
     * @description Needs the permission `conferences.read`.
     */
    get: operations["api.v3.conferences.checkAccess"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/conferences/{conferenceId}/room-token": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Issue a room token for a conference, in the caller's role
     * @description Needs the permission `conferences.read`.
     */
    post: operations["api.v3.conferences.roomToken"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/guest/conferences/token": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Issue a room token for a conference, by its link
     * @description Needs no token.
     */
    post: operations["api.v3.guest.conferences.token"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/sip/mapper": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Find the room for a code dialled at the telephone gateway
     * @description Needs the permission `sip.read`.
     */
    get: operations["api.v3.sip.mapper"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/hl7": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send an HL7 v2 scheduling message (SIU S12 to S17, S26)
     * @description Needs the permission `hl7.write`.
     */
    post: operations["api.v3.hl7.send"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/hl7/messages": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List received HL7 messages, newest first; kept for 30 days
     * @description Needs the permission `hl7.read`.
     */
    get: operations["api.v3.hl7.messages.list"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/hl7/messages/{messageId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a received HL7 message and its acknowledgement
     * @description Needs the permission `hl7.read`.
     */
    get: operations["api.v3.hl7.messages.get"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/conversations": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List conversations
     * @description Needs the permission `conversations.read`.
     */
    get: operations["api.v3.conversations.list"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/conversations/{conversationId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a conversation, by its id or its uid
     * @description Needs the permission `conversations.read`.
     */
    get: operations["api.v3.conversations.get"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/conversations/{conversationId}/messages": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the chat messages of a conversation, newest first
     * @description Needs the permission `conversations.read`.
     */
    get: operations["api.v3.conversations.messages.list"];
    put?: never;
    /**
     * Post a chat message to a conversation
     * @description Needs the permission `conversations.write`.
     */
    post: operations["api.v3.conversations.messages.create"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/conversations/{conversationId}/timeline": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the timeline of a conversation's ticket, oldest first; conferences have none
     * @description Needs the permission `conversations.read`.
     */
    get: operations["api.v3.conversations.timeline"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/guest/messages": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the chat messages of the room, newest first
     * @description Needs a room token of one of the roles agent, requestor, expert, organizer, moderator, participant.
     */
    get: operations["api.v3.guest.messages.list"];
    put?: never;
    /**
     * Post a chat message to the room, or to its staff outside a session
     * @description Needs a room token of one of the roles agent, requestor, expert, organizer, moderator, participant.
     */
    post: operations["api.v3.guest.messages.create"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/sessions": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read statistics of the sessions that ended in a period
     * @description Needs the permission `stats.read`.
     */
    get: operations["api.v3.sessions.list"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/sessions/{sessionId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read an ended session with its participants
     * @description Needs the permission `stats.read`.
     */
    get: operations["api.v3.sessions.get"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/tickets/{ticketId}/sessions": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the sessions of a ticket with their participants, including a running one
     * @description Needs the permission `tickets.read`.
     */
    get: operations["api.v3.tickets.sessions"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/conferences/{conferenceId}/sessions": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the sessions of a conference with their participants, including a running one
     * @description Needs the permission `conferences.read`.
     */
    get: operations["api.v3.conferences.sessions"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/rooms": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the rooms in which a session is running now
     * @description Needs the permission `conversations.read`.
     */
    get: operations["api.v3.rooms.list"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/rooms/{sessionId}/supervisor-token": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Issue a room token for watching a running session
     * @description Needs the permission `rooms.watch`.
     */
    post: operations["api.v3.rooms.supervisorToken"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/medias": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List files of tickets and conferences
     * @description Needs the permission `media.read`.
     */
    get: operations["api.v3.medias.list"];
    put?: never;
    /**
     * Add a file to a ticket or a conference
     * @description Needs the permission `media.write`.
     */
    post: operations["api.v3.medias.create"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/tickets/{ticketId}/medias": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the files of a ticket
     * @description Needs the permission `media.read`.
     */
    get: operations["api.v3.tickets.medias"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/enterprises/{enterpriseId}/tickets/{ticketId}/medias": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the files of a ticket
     * @description Needs the permission `media.read`.
     */
    get: operations["api.v3.enterprises.tickets.medias"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/conferences/{conferenceId}/media": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the files of a conference
     * @description Needs the permission `media.read`.
     */
    get: operations["api.v3.conferences.media"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/medias/{mediaId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the metadata of a file
     * @description Needs the permission `media.read`.
     */
    get: operations["api.v3.medias.get"];
    put?: never;
    post?: never;
    /**
     * Delete a file
     * @description Needs the permission `media.delete`.
     */
    delete: operations["api.v3.medias.delete"];
    options?: never;
    head?: never;
    /**
     * Change title, description or position of a file
     * @description Needs the permission `media.write`.
     */
    patch: operations["api.v3.medias.update"];
    trace?: never;
  };
  "/api/medias/{mediaId}/download": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Download a file, or a range of it
     * @description Needs the permission `media.read`.
     */
    get: operations["api.v3.medias.download"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/medias/{mediaId}/ocr": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Recognize the text in a picture of a ticket; the result is an event
     * @description Needs the permission `media.write`.
     */
    post: operations["api.v3.medias.ocr"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/guest/medias/{mediaId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a file of the room
     * @description Needs a room token of one of the roles agent, requestor, expert, organizer, moderator, participant.
     */
    get: operations["api.v3.guest.medias.get"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/guest/medias": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Upload a file or a snapshot from the room
     * @description Needs a room token of one of the roles agent, requestor, expert, organizer, moderator, participant.
     */
    post: operations["api.v3.guest.medias.create"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/rtc/recordings": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Start a recording
     * @description Needs a room token of one of the roles agent, organizer, moderator.
     */
    post: operations["api.v3.recordings.create"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/rtc/recordings/{recordingId}/chunks/{number}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    /**
     * Upload a chunk of a recording; numbers start at 0, in any order, repeatable
     * @description Needs a room token of one of the roles agent, organizer, moderator.
     */
    put: operations["api.v3.recordings.chunk"];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/rtc/recordings/{recordingId}/finalize": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Complete a recording after its last chunk
     * @description Needs a room token of one of the roles agent, organizer, moderator.
     */
    post: operations["api.v3.recordings.finalize"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/sms": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List SMS
     * @description Needs the permission `messages.read`.
     */
    get: operations["api.sms.list"];
    put?: never;
    /**
     * Send an SMS
     * @description Needs the permission `messages.send`.
     */
    post: operations["api.sms.create"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/sms/{messageId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read an SMS
     * @description Needs the permission `messages.read`.
     */
    get: operations["api.sms.get"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/emails": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List mails
     * @description Needs the permission `messages.read`.
     */
    get: operations["api.emails.list"];
    put?: never;
    /**
     * Send a mail
     * @description Needs the permission `messages.send`.
     */
    post: operations["api.emails.create"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/emails/{messageId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a mail
     * @description Needs the permission `messages.read`.
     */
    get: operations["api.emails.get"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/sms/status/{provider}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Handle a delivery status from the SMS provider
     * @description Needs no token.
     */
    post: operations["api.sms.status"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/sms/incoming/{provider}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Handle an SMS that the provider received: STOP and START
     * @description Needs no token.
     */
    post: operations["api.sms.incoming"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/service/{serviceId}/templates": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the custom templates of a service
     * @description Needs the permission `services.read`.
     */
    get: operations["api.service.templates.list"];
    /**
     * Set the template of a service for a kind, channel and language
     * @description Needs the permission `services.write`.
     */
    put: operations["api.service.templates.put"];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/service/{serviceId}/templates/{templateId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Delete a template of a service; the next more general one applies again
     * @description Needs the permission `services.write`.
     */
    delete: operations["api.service.templates.delete"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/service/{serviceId}/templates/preview": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Preview a message and its number of SMS segments
     * @description Needs the permission `services.read`.
     */
    post: operations["api.service.templates.preview"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/enterprises/{enterpriseId}/templates": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the custom templates of an enterprise
     * @description Needs the permission `enterprises.read`.
     */
    get: operations["api.enterprises.templates.list"];
    /**
     * Set the template of an enterprise for a kind, channel and language
     * @description Needs the permission `enterprises.write`.
     */
    put: operations["api.enterprises.templates.put"];
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/enterprises/{enterpriseId}/templates/{templateId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    post?: never;
    /**
     * Delete a template of an enterprise; the next more general one applies again
     * @description Needs the permission `enterprises.write`.
     */
    delete: operations["api.enterprises.templates.delete"];
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/enterprises/{enterpriseId}/templates/preview": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Preview a message and its number of SMS segments
     * @description Needs the permission `enterprises.read`.
     */
    post: operations["api.enterprises.templates.preview"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/webhooks/live": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the live state of all deliveries, once or every second
     * @description Needs the permission `webhooks.read`.
     */
    get: operations["watchWebhookDeliveries"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/webhooks/series": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read delivery counts and latency percentiles over time, for charts
     * @description Needs the permission `webhooks.read`.
     */
    get: operations["getWebhookSeries"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/webhooks/deliveries": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the deliveries of all webhooks, newest first
     * @description Needs the permission `webhooks.read`.
     */
    get: operations["searchWebhookDeliveries"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/webhooks/deliveries/export": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Export the results of a log search as CSV or JSON
     * @description Needs the permission `webhooks.read`.
     */
    get: operations["exportWebhookDeliveries"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/webhooks/deliveries/{deliveryId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a delivery of any webhook with its body and attempts
     * @description Needs the permission `webhooks.read`.
     */
    get: operations["getDelivery"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/webhooks/{webhookId}/deliveries": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the deliveries of a webhook, newest first
     * @description Needs the permission `webhooks.read`.
     */
    get: operations["listWebhookDeliveries"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/webhooks/{webhookId}/deliveries/{deliveryId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a delivery with its body and attempts
     * @description Needs the permission `webhooks.read`.
     */
    get: operations["getWebhookDelivery"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/webhooks/explain": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Explain what happened to an event at every webhook, and why
     * @description Needs the permission `webhooks.read`.
     */
    get: operations["explainWebhookEvent"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/webhooks/{webhookId}/explain": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Explain what a webhook received in a period, and why it did not receive the rest
     * @description Needs the permission `webhooks.read`.
     */
    get: operations["explainWebhook"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/platform/webhooks/{webhookId}/explain": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Explain what a webhook of any enterprise received in a period, for operators
     * @description Needs the permission `platform.read`.
     */
    get: operations["explainPlatformWebhook"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/webhooks/filter-test": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Preview which recent events would match filters and conditions
     * @description Needs the permission `webhooks.read`.
     */
    post: operations["testWebhookFilters"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/webhooks/reconcile": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Compare events with deliveries and list the gaps
     * @description Needs the permission `webhooks.read`.
     */
    get: operations["reconcileWebhooks"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/webhooks/{webhookId}/manifest": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the deliveries of a webhook by sequence, to compare with the receiver's records
     * @description Needs the permission `webhooks.read`.
     */
    get: operations["getWebhookManifest"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/webhooks/deliveries/retry": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Retry several deliveries now
     * @description Needs the permission `webhooks.write`.
     */
    post: operations["retryDeliveries"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/webhooks/deliveries/{deliveryId}/retry": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Retry a delivery now
     * @description Needs the permission `webhooks.write`.
     */
    post: operations["retryDelivery"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/webhooks/{webhookId}/probe": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Probe a receiver with an open circuit now
     * @description Needs the permission `webhooks.write`.
     */
    post: operations["probeWebhook"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/webhooks/replays": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the replays of the enterprise, newest first
     * @description Needs the permission `webhooks.read`.
     */
    get: operations["listWebhookReplays"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/webhooks/replays/{replayId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a replay and its progress
     * @description Needs the permission `webhooks.read`.
     */
    get: operations["getWebhookReplay"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/webhooks/deliveries/replay": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Replay the events of selected deliveries of any webhook
     * @description Needs the permission `webhooks.write`.
     */
    post: operations["replayWebhookDeliveries"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/webhooks/{webhookId}/deliveries/{deliveryId}/replay": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Replay an event
     * @description Needs the permission `webhooks.write`.
     */
    post: operations["replayWebhookDelivery"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/webhooks/{webhookId}/replay": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Replay many events
     * @description Needs the permission `webhooks.write`.
     */
    post: operations["replayWebhook"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/webhooks/{webhookId}/replay/preview": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Preview a replay
     * @description Needs the permission `webhooks.read`.
     */
    post: operations["previewWebhookReplay"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/webhooks/replays/{replayId}/pause": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Pause a replay: create no more deliveries for now
     * @description Needs the permission `webhooks.write`.
     */
    post: operations["pauseWebhookReplay"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/webhooks/replays/{replayId}/resume": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Resume a paused replay
     * @description Needs the permission `webhooks.write`.
     */
    post: operations["resumeWebhookReplay"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/webhooks/replays/{replayId}/cancel": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Cancel a replay and its deliveries that were not sent yet
     * @description Needs the permission `webhooks.write`.
     */
    post: operations["cancelWebhookReplay"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/webhooks/{webhookId}/recover": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Retry or replay everything that was not delivered since a given time
     * @description Needs the permission `webhooks.write`.
     */
    post: operations["recoverWebhook"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/webhooks/{webhookId}/recover/preview": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Preview a recovery
     * @description Needs the permission `webhooks.read`.
     */
    post: operations["previewWebhookRecovery"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/webhooks/events/{eventId}/expunge": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Remove the content of an event everywhere webhooks store it
     * @description Needs the permission `webhooks.write`.
     */
    post: operations["expungeWebhookEvent"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/webhooks/{webhookId}/events": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the events of a webhook after a cursor (pull)
     * @description Needs the permission `webhooks.read`.
     */
    get: operations["pullWebhookEvents"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/webhooks/{webhookId}/events/stream": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Stream the events of a webhook as server-sent events
     * @description Needs the permission `webhooks.read`.
     */
    get: operations["streamWebhookEvents"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/webhooks/{webhookId}/test": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Send a test event, or a past event, and return the receiver's response
     * @description Needs the permission `webhooks.write`.
     */
    post: operations["testWebhook"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/alerts": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the alert settings and recipients of the enterprise
     * @description Needs the permission `webhooks.read`.
     */
    get: operations["getAlerts"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Change the alert settings and recipients of the enterprise
     * @description Needs the permission `webhooks.write`.
     */
    patch: operations["changeAlerts"];
    trace?: never;
  };
  "/api/webhooks/{webhookId}/alerts": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the alert settings of a webhook
     * @description Needs the permission `webhooks.read`.
     */
    get: operations["getWebhookAlerts"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    /**
     * Change the alert settings of a webhook; null inherits the enterprise's
     * @description Needs the permission `webhooks.write`.
     */
    patch: operations["changeWebhookAlerts"];
    trace?: never;
  };
  "/api/alerts/emails/confirm": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Confirm an alert address with the token of a mailed link
     * @description Needs no token.
     */
    post: operations["confirmAlertEmail"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/alerts/emails/stop": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Unsubscribe an address from alerts with the token of a mailed link
     * @description Needs no token.
     */
    post: operations["stopAlertEmail"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/webhooks": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the webhooks of the enterprise
     * @description Needs the permission `webhooks.read`.
     */
    get: operations["listWebhooks"];
    put?: never;
    /**
     * Create a webhook; only this response contains its secret
     * @description Needs the permission `webhooks.write`.
     */
    post: operations["createWebhook"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/webhooks/event-types": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * List the event types that webhooks can subscribe to
     * @description Needs the permission `webhooks.read`.
     */
    get: operations["listEventTypes"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/webhooks/{webhookId}": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read a webhook
     * @description Needs the permission `webhooks.read`.
     */
    get: operations["getWebhook"];
    put?: never;
    post?: never;
    /**
     * Delete a webhook and cancel its waiting deliveries
     * @description Needs the permission `webhooks.write`.
     */
    delete: operations["deleteWebhook"];
    options?: never;
    head?: never;
    /**
     * Change, enable or disable a webhook
     * @description Needs the permission `webhooks.write`.
     */
    patch: operations["changeWebhook"];
    trace?: never;
  };
  "/api/webhooks/{webhookId}/rotate-secret": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Rotate the signing secret; the old secret signs for a transition period
     * @description Needs the permission `webhooks.write`.
     */
    post: operations["rotateWebhookSecret"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/webhooks/{webhookId}/rotate-key": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    get?: never;
    put?: never;
    /**
     * Rotate the key pair of v1a signatures; the old key signs for a transition period
     * @description Needs the permission `webhooks.write`.
     */
    post: operations["rotateWebhookKey"];
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/webhooks/{webhookId}/health": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the health and the backlog of a webhook
     * @description Needs the permission `webhooks.read`.
     */
    get: operations["getWebhookHealth"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/platform/queues": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the state of queues, relay, receivers and schedule, across all enterprises
     * @description Needs the permission `platform.read`.
     */
    get: operations["getPlatformQueues"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
  "/api/platform/health": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    /**
     * Read the health of each part of the platform, with the runbook section
     * @description Needs the permission `platform.read`.
     */
    get: operations["getPlatformHealth"];
    put?: never;
    post?: never;
    delete?: never;
    options?: never;
    head?: never;
    patch?: never;
    trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    /** AlertEmail */
    AlertEmail: {
      email: string;
      confirmed: string | null;
    };
    /** AlertSettings */
    AlertSettings: {
      failing_minutes: number;
      past_due_minutes: number;
      failed_deliveries: boolean;
      repeat_hours: number;
      administrators: boolean;
      users: components["schemas"]["AlertUser"][];
      emails: components["schemas"]["AlertEmail"][];
      webhooks: components["schemas"]["OwnAlertThresholds"][];
    };
    /** AlertUser */
    AlertUser: {
      id: number;
      login: string;
    };
    /** ApiToken */
    ApiToken: {
      id: number;
      name: string;
      user: components["schemas"]["ApiTokenUser"];
      created: string;
      expires_at: string;
      last_used_at: string | null;
    };
    /** ApiTokenList */
    ApiTokenList: {
      total: number;
      data: components["schemas"]["ApiToken"][];
    };
    /** ApiTokenUser */
    ApiTokenUser: {
      id: number;
      login: string;
    };
    /** AttemptCounts */
    AttemptCounts: {
      delivered: number;
      failed: number;
    };
    /** AuditChange */
    AuditChange: {
      from?: unknown;
      to?: unknown;
    };
    /** AuditEntry */
    AuditEntry: {
      id: number;
      userId: number | null;
      login: string;
      /** @enum {string} */
      action: "create" | "update" | "delete" | "rotate" | "revoke" | "reset" | "test" | "watch";
      /** @enum {string} */
      object:
        | "user"
        | "enterprise"
        | "service"
        | "group"
        | "domain"
        | "button"
        | "template"
        | "survey"
        | "webhook"
        | "alert"
        | "api_token"
        | "ticket"
        | "conference";
      objectId: string;
      changes: {
        [key: string]: components["schemas"]["AuditChange"];
      };
      requestId: string | null;
      created: string;
    };
    /** AuditEntryList */
    AuditEntryList: {
      total: number;
      data: components["schemas"]["AuditEntry"][];
    };
    /** BrowserSession */
    BrowserSession: {
      user: components["schemas"]["BrowserSessionUser"];
      enterprise: components["schemas"]["BrowserSessionEnterprise"];
      permissions: components["schemas"]["Permissions"];
      csrf_token: string;
      expires_at: string;
    };
    /** BrowserSessionEnterprise */
    BrowserSessionEnterprise: {
      id: number;
      name: string;
      time_zone: string;
      /** @enum {string} */
      language: "fr" | "en" | "es" | "de" | "it" | "nl" | "pt";
      solution_enabled: boolean;
    };
    /** BrowserSessionUser */
    BrowserSessionUser: {
      id: number;
      login: string;
      nickname: string;
      email: string;
      /** @enum {string} */
      role: "viewer" | "agent" | "manager" | "admin" | "integration" | "superadmin";
      is_agent: boolean;
      /** @enum {string} */
      account_type: "platform" | "solution";
      /** @enum {string|null} */
      language: "fr" | "en" | "es" | "de" | "it" | "nl" | "pt" | null;
      photo_url: string;
    };
    /** Button */
    Button: {
      id: number;
      name: string;
      url: string;
      is_active: boolean;
      created: string;
    };
    /** ButtonList */
    ButtonList: {
      total: number;
      data: components["schemas"]["Button"][];
    };
    /** ChatMessage */
    ChatMessage: {
      id: number;
      conversationId: number;
      sessionId: string | null;
      /** @enum {string} */
      author: "agent" | "guest" | "system";
      userId: number | null;
      name: string;
      text: string;
      created: string;
    };
    /** ChatMessageList */
    ChatMessageList: {
      total: number;
      data: components["schemas"]["ChatMessage"][];
    };
    /** Conference */
    Conference: {
      id: number;
      name: string;
      created: string;
      modified: string;
      start_time: string;
      end_time: string;
      /** @enum {string} */
      status: "scheduled" | "ongoing" | "ended" | "cancelled";
      room_name: string;
      url: string;
      short_url: string;
      /** @description Empty if there is no dial-in. */
      sip_phone_number: string;
      sip_dtmf_code: string;
      organizer: components["schemas"]["UserReference"];
      created_by: components["schemas"]["UserReference"];
      service_key: string;
      moderator: components["schemas"]["UserReference"];
    };
    /** ConferenceAccess */
    ConferenceAccess: {
      /** @description Whether the caller may enter, or wait to be admitted. */
      access: boolean;
      /** @enum {string|null} */
      role: "organizer" | "moderator" | "participant" | "waiting" | null;
      /** @description A moderator must admit the caller first. */
      must_wait: boolean;
      /** @description Guests wait until somebody admits them. */
      moderation: boolean;
      /** @description For everyone except the organizer and the moderator. */
      password_required: boolean;
      /** @description Values that the platform cannot decrypt. Until the password is replaced or removed, no guest can enter. */
      undecryptable: "password"[];
      /**
       * @description Why the caller has no access; null if they have.
       * @enum {string|null}
       */
      reason: "password" | "undecryptable" | "locked" | "ended" | "cancelled" | null;
      /** @enum {string} */
      status: "scheduled" | "ongoing" | "ended" | "cancelled";
    };
    /** ConferenceInvitation */
    ConferenceInvitation: {
      id: number;
      /** @enum {string} */
      channel: "email" | "sms";
      recipient: string;
    };
    /** ConferenceInvitationList */
    ConferenceInvitationList: {
      total: number;
      data: components["schemas"]["ConferenceInvitation"][];
    };
    /** ConferenceList */
    ConferenceList: {
      total: number;
      data: components["schemas"]["Conference"][];
    };
    /** ConferenceMedia */
    ConferenceMedia: {
      id: number;
      /** Format: uuid */
      hash: string;
      /** Format: date-time */
      created: string;
      owner: {
        /** @description 0: a guest */
        id: number;
        name: string;
      };
      title: string;
      description: string | null;
      filename: string;
      /** @enum {string} */
      status: "inprogress" | "uncompleted" | "completed" | "error";
      /** @enum {string} */
      media_type: "image" | "video" | "audio" | "document" | "other";
      /** Format: uri */
      url: string;
      filesize: number;
      /** @enum {string} */
      source_type:
        | "ticket_snapshot"
        | "ticket_share"
        | "ticket_record"
        | "conf_snapshot"
        | "conf_share"
        | "conf_record";
      geoloc: {
        lat: number;
        lng: number;
      } | null;
      metadata: {
        geoloc: {
          lat: number;
          lng: number;
        } | null;
      };
    };
    /** ConferenceMediaList */
    ConferenceMediaList: {
      total: number;
      data: components["schemas"]["ConferenceMedia"][];
    };
    /** ConferenceParticipant */
    ConferenceParticipant: {
      /**
       * @description `invited`: on the guest list. `attended`: was admitted to the room. All guests share one link, so the two cannot be matched.
       * @enum {string}
       */
      kind: "invited" | "attended";
      name: string | null;
      email: string | null;
      phone: string | null;
      role: string | null;
      user_id: number | null;
      invited: string | null;
      joined: string | null;
      left: string | null;
      is_present: boolean;
    };
    /** ConferenceParticipantList */
    ConferenceParticipantList: {
      total: number;
      data: components["schemas"]["ConferenceParticipant"][];
    };
    /** ConferenceRoomToken */
    ConferenceRoomToken: {
      room_token: string;
      /** @constant */
      token_type: "Bearer";
      /** @description Seconds. */
      expires_in: number;
      /** @enum {string} */
      role: "organizer" | "moderator" | "participant" | "waiting";
      /** @description The name that others see; may be empty. */
      name: string;
      conference: components["schemas"]["RoomConference"];
    };
    /** ConferenceSession */
    ConferenceSession: {
      /** Format: uuid */
      id: string;
      start_time: string;
      end_time: string | null;
      /** @enum {string|null} */
      end_reason: "empty" | "ended" | "limit" | "crash" | null;
      billing_duration: number | null;
      total_participant_count: number;
      participants: components["schemas"]["SubjectSessionParticipant"][];
    };
    /** ConferenceSessionList */
    ConferenceSessionList: {
      total: number;
      data: components["schemas"]["ConferenceSession"][];
    };
    /** ConfirmedAlertEmail */
    ConfirmedAlertEmail: {
      email: string;
      company: string;
    };
    /** ConsentAcceptedEvent */
    ConsentAcceptedEvent: {
      id: number;
      /** @enum {string} */
      eventType: "consent.accepted";
      /** @enum {integer} */
      eventCode: 20;
      conversationId: number;
      ticketId: number;
      created: string;
      /** @enum {string} */
      source: "agent" | "guest" | "system";
    };
    /** Conversation */
    Conversation: {
      id: number;
      /** Format: uuid */
      uid: string;
      name: string;
      created: string;
      ticketId: number | null;
      conferenceId: number | null;
      isOngoing: boolean;
      finishedAt: string | null;
    };
    /** ConversationList */
    ConversationList: {
      total: number;
      data: components["schemas"]["Conversation"][];
    };
    /** ConversationTimeline */
    ConversationTimeline: {
      id: number;
      /** @enum {string} */
      eventType:
        | "ticket.new"
        | "ticket.approved"
        | "ticket.assigned"
        | "ticket.completed"
        | "ticket.cancelled"
        | "ticket.closed"
        | "ticket.priorityChanged"
        | "ticket.sessionStarted"
        | "ticket.invitationSent"
        | "ticket.invitationResent"
        | "ticket.invitationAccepted"
        | "ticket.invitationDeclined"
        | "ticket.invitationClicked"
        | "ticket.invitationNotclicked"
        | "ticket.invitationExpired"
        | "consent.accepted"
        | "geo.ansAllowed"
        | "geo.ansDisallowed"
        | "mediaDevice.allowed"
        | "mediaDevice.disallowed"
        | "mediaDevice.cameraAllowed"
        | "mediaDevice.cameraDisallowed"
        | "mediaDevice.micAllowed"
        | "mediaDevice.micDisallowed"
        | "session.established"
        | "session.agentContacted"
        | "session.agentLeft"
        | "session.userLeft"
        | "media.pictureTaken"
        | "media.OCRDone"
        | "media.pictureSent"
        | "survey.answered";
      eventCode: number;
      conversationId: number;
      ticketId: number;
      created: string;
      /** @enum {string} */
      source: "agent" | "guest" | "system";
    }[];
    /** CountUpToABound */
    CountUpToABound: {
      count: number;
      more: boolean;
    };
    /** CreatedConference */
    CreatedConference: {
      id: number;
      name: string;
      created: string;
      modified: string;
      start_time: string;
      end_time: string;
      /** @enum {string} */
      status: "scheduled" | "ongoing" | "ended" | "cancelled";
      room_name: string;
      url: string;
      short_url: string;
      /** @description Empty if there is no dial-in. */
      sip_phone_number: string;
      sip_dtmf_code: string;
      organizer: components["schemas"]["UserReference"];
      created_by: components["schemas"]["UserReference"];
      service_key: string;
      moderator: components["schemas"]["UserReference"];
      /** @description Only with scope=sso. The room's address with a token that admits its holder as moderator. It is valid for this room only, until the conference ends. */
      sso_url?: string;
    };
    /** CreatedTicket */
    CreatedTicket: {
      id: number;
      state: string;
      status: string;
      reference: string;
      /** Format: date-time */
      created: string;
      /** Format: date-time */
      modified: string;
      /** Format: date-time */
      start_time: string;
      /** Format: date-time */
      end_time: string;
      subject: string | null;
      type: string;
      description: string | null;
      agent: string;
      /** Format: uri */
      requestor_url: string;
      requestor: components["schemas"]["Requestor"];
      /** Format: uri */
      information_page_url: string;
      service_key: string;
      /** Format: uri */
      agent_url: string;
      /** Format: uri */
      sso_url?: string;
      name: string | null;
      button_id: number;
    };
    /** CreatedWebhook */
    CreatedWebhook: {
      id: number;
      name: string;
      /** @enum {string} */
      mode: "push" | "pull";
      url: string | null;
      active: boolean;
      ordered: boolean;
      maxInFlight: number | null;
      maxPerSecond: number | null;
      retrySchedule: number[] | null;
      filters: string[];
      conditions: {
        [key: string]: unknown;
      } | null;
      headers: components["schemas"]["WebhookHeader"][];
      signatures: ("v1" | "v1a")[];
      headerPresets: ("github" | "stripe")[];
      oauth2: components["schemas"]["WebhookOAuth2"];
      clientCertificate: components["schemas"]["WebhookClientCertificate"];
      secrets: components["schemas"]["WebhookSecret"][];
      publicKeys: components["schemas"]["WebhookPublicKey"][];
      undecryptable: ("headers" | "oauth2" | "clientCertificate" | "secrets" | "publicKeys")[];
      created: string;
      modified: string;
      disabled_reason: string | null;
      last_success: string | null;
      last_failure: string | null;
      failing_since: string | null;
      health: components["schemas"]["WebhookHealth"];
      secret: string;
    };
    /** CustomerPosition */
    CustomerPosition: {
      geoloc: {
        lat: number;
        lng: number;
      } | null;
      accuracy: number | null;
      /** Format: date-time */
      created: string | null;
    };
    /** DeliveryGap */
    DeliveryGap: {
      webhook: number;
      event_id: string;
      /**
       * @deprecated
       * @description The old name of `event_id`
       */
      webhook_id: string;
      object: string;
      event: string;
      event_type: string | null;
      object_id: number | string;
      time: string;
      /** @enum {string} */
      reason: "no_delivery" | "dead_letter";
    };
    /** DeliverySeries */
    DeliverySeries: {
      since: string;
      until: string;
      step_seconds: number;
      webhook: number | null;
      counted_until: string | null;
      data: components["schemas"]["DeliverySeriesPoint"][];
    };
    /** DeliverySeriesPoint */
    DeliverySeriesPoint: {
      at: string;
      delivered: number;
      failed: number;
      retried: number;
      dead: number;
      latency_ms: components["schemas"]["Percentiles"];
      answer_ms: components["schemas"]["Percentiles"];
    };
    /** DeliveryWebhook */
    DeliveryWebhook: {
      id: number;
      name: string;
      origin: string | null;
      deleted: boolean;
    };
    /** Domain */
    Domain: {
      id: number;
      domain: string;
      alias: string;
      created: string;
    };
    /** DomainList */
    DomainList: {
      total: number;
      data: components["schemas"]["Domain"][];
    };
    /** EffectiveAlertThresholds */
    EffectiveAlertThresholds: {
      failing_minutes: number;
      past_due_minutes: number;
      failed_deliveries: boolean;
    };
    /** Email */
    Email: {
      id: number;
      /** @enum {string} */
      status: "queued" | "sent" | "delivered" | "undelivered" | "failed";
      to: string;
      sender: string;
      subject: string;
      text: string;
      html: string | null;
      error: string | null;
      ticketId: number | null;
      conferenceId: number | null;
      created: string;
      modified: string;
      sent: string | null;
    };
    /** EmailList */
    EmailList: {
      total: number;
      data: components["schemas"]["Email"][];
    };
    /** Enterprise */
    Enterprise: {
      id: number;
      name: string;
      apiKey: string;
      time_zone: string;
      /** @enum {string} */
      language: "fr" | "en" | "es" | "de" | "it" | "nl" | "pt";
      sip_phone_number: string;
      sms_sender: string;
      /** @enum {string|null} */
      mail_provider: "smtp" | "dev" | null;
      /** @enum {string|null} */
      sms_provider: "http" | "twilio" | "dev" | null;
      solution_enabled: boolean;
      managed_by: number | null;
      quotas: components["schemas"]["EnterpriseQuotas"];
      retention: components["schemas"]["EnterpriseRetention"];
      created: string;
      modified: string;
    };
    /** EnterpriseList */
    EnterpriseList: {
      total: number;
      data: components["schemas"]["Enterprise"][];
    };
    /** EnterpriseQuota */
    EnterpriseQuota: {
      users: components["schemas"]["QuotaUse"];
      media_bytes: components["schemas"]["QuotaUse"];
      sms_per_day: components["schemas"]["QuotaUse"];
    };
    /** EnterpriseQuotas */
    EnterpriseQuotas: {
      max_users: number | null;
      max_media_bytes: number | null;
      max_sms_per_day: number;
    };
    /** EnterpriseRetention */
    EnterpriseRetention: {
      payload_days: number | null;
      log_days: number | null;
    };
    /** EnterpriseStatistics */
    EnterpriseStatistics: {
      since: string;
      until: string;
      users: number;
      disk_bytes: number;
      sms_sent: number;
      sessions: number;
    };
    /** EventCatalogue */
    EventCatalogue: {
      objects: components["schemas"]["EventCatalogueObject"][];
      eventTypes: components["schemas"]["EventCatalogueType"][];
    };
    /** EventCatalogueObject */
    EventCatalogueObject: {
      /** @enum {string} */
      object:
        | "ticket"
        | "media"
        | "conversation"
        | "smsmessage"
        | "conversationevent"
        | "subscription"
        | "delivery";
      operational: boolean;
      events: ("create" | "update" | "delete" | "warned" | "disabled" | "recovered" | "dead")[];
      meanings: {
        [key: string]: string;
      };
      filters: string[];
    };
    /** EventCatalogueType */
    EventCatalogueType: {
      /** @enum {string} */
      eventType:
        | "ticket.new"
        | "ticket.approved"
        | "ticket.assigned"
        | "ticket.completed"
        | "ticket.cancelled"
        | "ticket.closed"
        | "ticket.priorityChanged"
        | "ticket.sessionStarted"
        | "ticket.invitationSent"
        | "ticket.invitationResent"
        | "ticket.invitationAccepted"
        | "ticket.invitationDeclined"
        | "ticket.invitationClicked"
        | "ticket.invitationNotclicked"
        | "ticket.invitationExpired"
        | "consent.accepted"
        | "geo.ansAllowed"
        | "geo.ansDisallowed"
        | "mediaDevice.allowed"
        | "mediaDevice.disallowed"
        | "mediaDevice.cameraAllowed"
        | "mediaDevice.cameraDisallowed"
        | "mediaDevice.micAllowed"
        | "mediaDevice.micDisallowed"
        | "session.established"
        | "session.agentContacted"
        | "session.agentLeft"
        | "session.userLeft"
        | "media.pictureTaken"
        | "media.OCRDone"
        | "media.pictureSent"
        | "survey.answered";
      eventCode: number;
      deprecated: boolean;
      filter: string;
    };
    /** EventKindCount */
    EventKindCount: {
      object: string;
      event: string;
      event_type: string | null;
      count: number;
      matched: number;
    };
    /** Expert */
    Expert: {
      id: string;
      participant: string;
      name: string | null;
      contact: string | null;
      expires: string;
    };
    /** ExpertList */
    ExpertList: {
      total: number;
      data: components["schemas"]["Expert"][];
    };
    /** ExplainCandidate */
    ExplainCandidate: {
      event_id: string;
      /**
       * @deprecated
       * @description The old name of `event_id`
       */
      webhook_id: string;
      object: string;
      event: string;
      event_type: string | null;
      object_id: number | string;
      time: string;
    };
    /** ExplainedCount */
    ExplainedCount: {
      count: number;
      more: boolean;
    };
    /** ExplainedDelivery */
    ExplainedDelivery: {
      id: number;
      sequence: number;
      status: string;
      attempt_count: number;
      next_try: string | null;
      waits_for: number | null;
      last_result: string | null;
      end_reason: string | null;
      created: string;
      ended: string | null;
    } | null;
    /** ExplainedEvent */
    ExplainedEvent: {
      event_id: string;
      /**
       * @deprecated
       * @description The old name of `event_id`
       */
      webhook_id: string;
      object: string;
      event: string;
      event_type: string | null;
      object_id: number | string;
      time: string;
      expunged: string | null;
      /** @enum {string} */
      fan_out: "waiting" | "dead_letter" | "fanned_out";
      dead_letter_reason: string | null;
      /**
       * @deprecated
       * @description The old name of `dead_letter_reason`
       */
      set_aside_reason: string | null;
    };
    /** ExplainedHealth */
    ExplainedHealth: {
      /** @enum {string} */
      state: "ok" | "failing" | "throttled" | "open" | "off" | "pull";
      failing_since: string | null;
      failures_in_row: number;
      last_code: number | null;
      last_error: string | null;
      throttled_until: string | null;
      next_probe: string | null;
      last_success: string | null;
      last_failure: string | null;
      pulled_at: string | null;
      to_pull: number | null;
      in_flight: components["schemas"]["ExplainedCount"];
      due: components["schemas"]["ExplainedCount"];
      oldest_due: string | null;
      planned: components["schemas"]["ExplainedCount"];
      waiting: components["schemas"]["ExplainedCount"];
      paused: components["schemas"]["ExplainedCount"];
    };
    /** ExplainedReplay */
    ExplainedReplay: {
      replay: number;
      id: number;
      sequence: number;
      status: string;
      attempt_count: number;
      next_try: string | null;
      waits_for: number | null;
      last_result: string | null;
      end_reason: string | null;
      created: string;
      ended: string | null;
    };
    /** ExplainedWebhook */
    ExplainedWebhook: {
      webhook: number;
      name: string;
      deleted: boolean;
      /** @enum {string} */
      verdict:
        | "delivered"
        | "available"
        | "pulled"
        | "in_flight"
        | "waiting"
        | "waits_for_other"
        | "throttled"
        | "circuit_open"
        | "paused"
        | "dead"
        | "cancelled"
        | "not_fanned_out"
        | "dead_letter"
        | "filters"
        | "conditions"
        | "off"
        | "created_later"
        | "deleted"
        | "own"
        | "changing"
        | "undetermined"
        | "removed"
        | "gap";
      text: string;
      since: string | null;
      until: string | null;
      reason: string | null;
      changed_by: string | null;
      changed_by_id: number | null;
      delivery: components["schemas"]["ExplainedDelivery"];
      filters: components["schemas"]["FilterMismatch"][];
      conditions: components["schemas"]["UnmetCondition"][];
      replays: components["schemas"]["ExplainedReplay"][];
    };
    /** Explanation */
    Explanation: {
      event: components["schemas"]["ExplainedEvent"];
      candidates: components["schemas"]["ExplainCandidate"][];
      webhooks: components["schemas"]["ExplainedWebhook"][];
    };
    /** ExpungedEvent */
    ExpungedEvent: {
      id: string;
      expunged: string;
      cancelled: number;
      under_way: number;
    };
    /** FilterMismatch */
    FilterMismatch: {
      filter: string;
      mismatch: string;
    };
    /** FilterTest */
    FilterTest: {
      examined: number;
      oldest: string | null;
      passed_filters: number;
      matched: number;
      undetermined: number;
      /**
       * @deprecated
       * @description The old name of `undetermined`
       */
      unjudged: number;
      unused_filters: string[];
      events: components["schemas"]["FilterTestEvent"][];
    };
    /** FilterTestEvent */
    FilterTestEvent: {
      event_id: string;
      /**
       * @deprecated
       * @description The old name of `event_id`
       */
      webhook_id: string;
      object: string;
      event: string;
      event_type: string | null;
      object_id: number | string;
      time: string;
      filters: string[];
    };
    /** FoundValue */
    FoundValue: {
      path: string;
      value: string | null;
    };
    /** GeoAnsAllowedEvent */
    GeoAnsAllowedEvent: {
      id: number;
      /** @enum {string} */
      eventType: "geo.ansAllowed";
      /** @enum {integer} */
      eventCode: 21;
      conversationId: number;
      ticketId: number;
      created: string;
      /** @enum {string} */
      source: "agent" | "guest" | "system";
      geoloc: components["schemas"]["Position"];
    };
    /** GeoAnsDisallowedEvent */
    GeoAnsDisallowedEvent: {
      id: number;
      /** @enum {string} */
      eventType: "geo.ansDisallowed";
      /** @enum {integer} */
      eventCode: 22;
      conversationId: number;
      ticketId: number;
      created: string;
      /** @enum {string} */
      source: "agent" | "guest" | "system";
    };
    /** Geoloc */
    Geoloc: {
      lat: number;
      lng: number;
    } | null;
    /** GroupMember */
    GroupMember: {
      id: number;
      login: string;
    };
    /** GroupName */
    GroupName: {
      id: number;
      name: string;
    };
    /** GuestConsent */
    GuestConsent: {
      position_request: {
        id: string;
        /** Format: date-time */
        created: string;
      } | null;
    };
    /** GuestLink */
    GuestLink: {
      state: string;
      service_name: string;
      enterprise_name: string;
      agent_name: string;
      name: string | null;
      subject: string | null;
      language: string | null;
      /** Format: date-time */
      start_time: string;
      /** Format: date-time */
      end_time: string;
      /** Format: uri */
      requestor_url: string;
      asks: ("camera" | "microphone" | "position")[];
      is_survey_due: boolean;
    };
    /** GuestSurvey */
    GuestSurvey: {
      questions: {
        id: number;
        label: {
          [key: string]: string;
        };
      }[];
      answers: ("Not satisfied" | "Satisfied" | "Very satisfied")[];
      has_feedback: boolean;
    };
    /** GuestVisit */
    GuestVisit: {
      state: string;
      has_consent: boolean;
      has_devices: boolean;
      is_accepted: boolean;
      position_request: {
        id: string;
        /** Format: date-time */
        created: string;
      } | null;
      is_survey_due: boolean;
      /** @enum {string|null} */
      end_reason: "expired" | "cancelled" | "closed" | "declined" | "deleted" | null;
    };
    /** Hl7Answer */
    Hl7Answer: {
      ack: string;
      conference: components["schemas"]["Conference"] | null;
    };
    /** Hl7Message */
    Hl7Message: {
      id: number;
      control_id: string;
      sending_application: string;
      sending_facility: string;
      type: string;
      /** @enum {string} */
      result: "AA" | "AE" | "AR";
      conference_id: number | null;
      created: string;
      /** @description null if it cannot be decrypted. */
      message: string | null;
      /** @description null if it cannot be decrypted. */
      ack: string | null;
    };
    /** Hl7MessageItem */
    Hl7MessageItem: {
      id: number;
      control_id: string;
      sending_application: string;
      sending_facility: string;
      type: string;
      /** @enum {string} */
      result: "AA" | "AE" | "AR";
      conference_id: number | null;
      created: string;
    };
    /** Hl7MessageList */
    Hl7MessageList: {
      total: number;
      data: components["schemas"]["Hl7MessageItem"][];
    };
    /** IceServers */
    IceServers: {
      servers: {
        urls: string[];
        username?: string;
        credential?: string;
      }[];
      /** @enum {string} */
      policy: "all" | "relay";
      expires_in: number | null;
    };
    /** InvitedExpert */
    InvitedExpert: {
      id: string;
      participant: string;
      name: string | null;
      contact: string | null;
      expires: string;
      /** Format: uri */
      link: string;
      channels: ("email" | "sms")[];
    };
    /** LiveAttempt */
    LiveAttempt: {
      webhook: number;
      delivery: number;
      sequence: number;
      object: string;
      event: string | null;
      event_type: string | null;
      object_id: number | string | null;
      ticket: number | null;
      number: number;
      started: string;
      ms: number;
      code: number | null;
      error: string | null;
      gave_up: boolean;
    };
    /** LiveBucket */
    LiveBucket: {
      at: string;
      seconds: number;
      delivered: number;
      failed: number;
      retried: number;
      dead: number;
      latency_ms: components["schemas"]["Percentiles"];
      answer_ms: components["schemas"]["Percentiles"];
    };
    /** LiveDeliveries */
    LiveDeliveries: {
      at: string;
      attempts_per_second: number;
      delivered_per_second: number;
      failed_per_second: number;
      retried_per_second: number;
      latency_ms: components["schemas"]["Percentiles"];
      answer_ms: components["schemas"]["Percentiles"];
      in_flight: number;
      waiting: components["schemas"]["CountUpToABound"];
      waiting_about: number | null;
      past_due: components["schemas"]["CountUpToABound"];
      past_due_ours: components["schemas"]["CountUpToABound"];
      past_due_failing: components["schemas"]["CountUpToABound"];
      oldest_waiting_seconds: number | null;
      oldest_ours_seconds: number | null;
      relay_behind_seconds: number | null;
      paused: components["schemas"]["CountUpToABound"];
      dead_today: number;
      counted: string;
      counted_seconds_ago: number;
      webhooks: components["schemas"]["LiveWebhook"][];
      tail: components["schemas"]["LiveAttempt"][];
      left_out: number;
      buckets: components["schemas"]["LiveBucket"][];
    };
    /** LiveRoom */
    LiveRoom: {
      /** Format: uuid */
      id: string;
      /** @enum {string} */
      type: "conference" | "ticket";
      subject_id: number;
      name: string;
      reference: string;
      service: components["schemas"]["LiveRoomService"];
      start_time: string;
      /** @enum {string} */
      media_route: "mesh" | "livekit";
      /** @enum {string} */
      supervision: "available" | "no_livekit" | "mesh_only" | "unreachable";
      is_recorded: boolean;
      people: components["schemas"]["LiveRoomPerson"][];
    };
    /** LiveRoomList */
    LiveRoomList: {
      total: number;
      data: components["schemas"]["LiveRoom"][];
    };
    /** LiveRoomPerson */
    LiveRoomPerson: {
      name: string;
      /** @enum {string} */
      role: "agent" | "requestor" | "expert" | "organizer" | "moderator" | "participant";
      user_id: number | null;
      start_time: string;
      /** @enum {string|null} */
      quality: "good" | "fair" | "poor" | null;
    };
    /** LiveRoomService */
    LiveRoomService: {
      id: number;
      key: string;
      name: string;
    };
    /** LiveWebhook */
    LiveWebhook: {
      id: number;
      name: string;
      /** @enum {string} */
      state: "ok" | "failing" | "throttled" | "open" | "off" | "pull";
      window: number;
      has_attempts: boolean;
      failing_since: string | null;
      next_probe: string | null;
      throttled_until: string | null;
      last_code: number | null;
      last_error: string | null;
      in_flight: number;
      waiting: components["schemas"]["CountUpToABound"];
      waiting_about: number | null;
      past_due: components["schemas"]["CountUpToABound"];
      paused: components["schemas"]["CountUpToABound"];
      oldest_waiting_seconds: number | null;
      to_pull: number | null;
      delivered_per_second: number;
      failed_per_second: number;
      retried_per_second: number;
    };
    /** Manifest */
    Manifest: {
      from: number;
      to: number;
      last_sequence: number;
      kept_from: number | null;
      data: components["schemas"]["ManifestEntry"][];
      missing: components["schemas"]["MissingSequences"][];
      next: number | null;
    };
    /** ManifestEntry */
    ManifestEntry: {
      sequence: number;
      event_id: string | null;
      /**
       * @deprecated
       * @description The old name of `event_id`
       */
      webhook_id: string | null;
      state: string;
      object: string;
      object_id: number | string | null;
      event: string | null;
      time: string;
      replay: boolean;
    };
    /** Me */
    Me: {
      /** Format: uri */
      photo_url: string;
      enterpriseId: number;
      userId: number;
      apiKey: string;
      nickname: string;
      token: string;
      is_agent: boolean;
      ccs: string;
      mail: string;
    };
    /** Media */
    Media: {
      id: number;
      /** Format: uuid */
      hash: string;
      /** Format: date-time */
      created: string;
      owner: {
        /** @description 0: a guest */
        id: number;
        name: string;
      };
      title: string;
      description: string | null;
      filename: string;
      /** @enum {string} */
      status: "inprogress" | "uncompleted" | "completed" | "error";
      /** @enum {string} */
      media_type: "image" | "video" | "audio" | "document" | "other";
      /** Format: uri */
      url: string;
      filesize: number;
      /** @enum {string} */
      source_type:
        | "ticket_snapshot"
        | "ticket_share"
        | "ticket_record"
        | "conf_snapshot"
        | "conf_share"
        | "conf_record";
      geoloc: {
        lat: number;
        lng: number;
      } | null;
      metadata: {
        geoloc: {
          lat: number;
          lng: number;
        } | null;
      };
      /** Format: date-time */
      modified: string;
      /** @description MIME type */
      type: string;
      _parent: {
        /** @enum {string} */
        name: "ticket" | "conference";
        id: number;
      };
    };
    /** MediaDeviceAllowedEvent */
    MediaDeviceAllowedEvent: {
      id: number;
      /** @enum {string} */
      eventType: "mediaDevice.allowed";
      /** @enum {integer} */
      eventCode: 23;
      conversationId: number;
      ticketId: number;
      created: string;
      /** @enum {string} */
      source: "agent" | "guest" | "system";
      requestor: components["schemas"]["Person"];
    };
    /** MediaDeviceCameraAllowedEvent */
    MediaDeviceCameraAllowedEvent: {
      id: number;
      /** @enum {string} */
      eventType: "mediaDevice.cameraAllowed";
      /** @enum {integer} */
      eventCode: 25;
      conversationId: number;
      ticketId: number;
      created: string;
      /** @enum {string} */
      source: "agent" | "guest" | "system";
      requestor: components["schemas"]["Person"];
    };
    /** MediaDeviceCameraDisallowedEvent */
    MediaDeviceCameraDisallowedEvent: {
      id: number;
      /** @enum {string} */
      eventType: "mediaDevice.cameraDisallowed";
      /** @enum {integer} */
      eventCode: 26;
      conversationId: number;
      ticketId: number;
      created: string;
      /** @enum {string} */
      source: "agent" | "guest" | "system";
      requestor: components["schemas"]["Person"];
    };
    /** MediaDeviceDisallowedEvent */
    MediaDeviceDisallowedEvent: {
      id: number;
      /** @enum {string} */
      eventType: "mediaDevice.disallowed";
      /** @enum {integer} */
      eventCode: 24;
      conversationId: number;
      ticketId: number;
      created: string;
      /** @enum {string} */
      source: "agent" | "guest" | "system";
      requestor: components["schemas"]["Person"];
    };
    /** MediaDeviceMicAllowedEvent */
    MediaDeviceMicAllowedEvent: {
      id: number;
      /** @enum {string} */
      eventType: "mediaDevice.micAllowed";
      /** @enum {integer} */
      eventCode: 27;
      conversationId: number;
      ticketId: number;
      created: string;
      /** @enum {string} */
      source: "agent" | "guest" | "system";
      requestor: components["schemas"]["Person"];
    };
    /** MediaDeviceMicDisallowedEvent */
    MediaDeviceMicDisallowedEvent: {
      id: number;
      /** @enum {string} */
      eventType: "mediaDevice.micDisallowed";
      /** @enum {integer} */
      eventCode: 28;
      conversationId: number;
      ticketId: number;
      created: string;
      /** @enum {string} */
      source: "agent" | "guest" | "system";
      requestor: components["schemas"]["Person"];
    };
    /** MediaList */
    MediaList: {
      total: number;
      data: components["schemas"]["Media"][];
    };
    /** MediaOCRDoneEvent */
    MediaOCRDoneEvent: {
      id: number;
      /** @enum {string} */
      eventType: "media.OCRDone";
      /** @enum {integer} */
      eventCode: 41;
      conversationId: number;
      ticketId: number;
      created: string;
      /** @enum {string} */
      source: "agent" | "guest" | "system";
      text: string;
    };
    /** MediaPictureSentEvent */
    MediaPictureSentEvent: {
      id: number;
      /** @enum {string} */
      eventType: "media.pictureSent";
      /** @enum {integer} */
      eventCode: 42;
      conversationId: number;
      ticketId: number;
      created: string;
      /** @enum {string} */
      source: "agent" | "guest" | "system";
      mediaId: number;
    };
    /** MediaPictureTakenEvent */
    MediaPictureTakenEvent: {
      id: number;
      /** @enum {string} */
      eventType: "media.pictureTaken";
      /** @enum {integer} */
      eventCode: 40;
      conversationId: number;
      ticketId: number;
      created: string;
      /** @enum {string} */
      source: "agent" | "guest" | "system";
      mediaId: number;
    };
    /** MismatchCounts */
    MismatchCounts: {
      object: number;
      event: number;
      eventType: number;
    };
    /** MissingSequences */
    MissingSequences: {
      from: number;
      to: number;
    };
    /** NewApiToken */
    NewApiToken: {
      id: number;
      name: string;
      user: components["schemas"]["ApiTokenUser"];
      created: string;
      expires_at: string;
      last_used_at: string | null;
      token: string;
    };
    /** OffPeriod */
    OffPeriod: {
      since: string;
      until: string | null;
      reason: string | null;
      changed_by: string | null;
      changed_by_id: number | null;
    };
    /** OwnAlertThresholds */
    OwnAlertThresholds: {
      id: number;
      failing_minutes: number | null;
      past_due_minutes: number | null;
      failed_deliveries: boolean | null;
    };
    /** OwnService */
    OwnService: {
      id: number;
      service_key: string;
      name: string;
      /** @enum {string} */
      kind: "ticket" | "conference";
      ticket_types: string[];
      /** @enum {string|null} */
      language: "fr" | "en" | "es" | "de" | "it" | "nl" | "pt" | null;
    };
    /** OwnServiceList */
    OwnServiceList: {
      total: number;
      data: components["schemas"]["OwnService"][];
    };
    /** Percentiles */
    Percentiles: {
      p50: number | null;
      p95: number | null;
      p99: number | null;
    };
    /** Permissions */
    Permissions: {
      /** @enum {string} */
      "tickets.read"?: "own" | "group" | "all";
      /** @enum {string} */
      "tickets.write"?: "own" | "group" | "all";
      /** @enum {string} */
      "tickets.take"?: "own" | "group" | "all";
      /** @enum {string} */
      "tickets.assign"?: "own" | "group" | "all";
      /** @enum {string} */
      "tickets.transfer"?: "own" | "group" | "all";
      /** @enum {string} */
      "tickets.events.read"?: "own" | "group" | "all";
      /** @enum {string} */
      "conferences.read"?: "own" | "group" | "all";
      /** @enum {string} */
      "conferences.write"?: "own" | "group" | "all";
      /** @enum {string} */
      "conversations.read"?: "own" | "group" | "all";
      /** @enum {string} */
      "conversations.write"?: "own" | "group" | "all";
      /** @enum {string} */
      "rooms.watch"?: "own" | "group" | "all";
      /** @enum {string} */
      "media.read"?: "own" | "group" | "all";
      /** @enum {string} */
      "media.write"?: "own" | "group" | "all";
      /** @enum {string} */
      "media.delete"?: "own" | "group" | "all";
      /** @enum {string} */
      "stats.read"?: "own" | "group" | "all";
      /** @enum {string} */
      "users.read"?: "own" | "group" | "all";
      /** @enum {string} */
      "users.write"?: "own" | "group" | "all";
      /** @enum {string} */
      "services.read"?: "own" | "group" | "all";
      /** @enum {string} */
      "services.write"?: "own" | "group" | "all";
      /** @enum {string} */
      "enterprises.read"?: "own" | "group" | "all";
      /** @enum {string} */
      "enterprises.write"?: "own" | "group" | "all";
      /** @enum {string} */
      "enterprises.create"?: "own" | "group" | "all";
      /** @enum {string} */
      "audit.read"?: "own" | "group" | "all";
      /** @enum {string} */
      "webhooks.read"?: "own" | "group" | "all";
      /** @enum {string} */
      "webhooks.write"?: "own" | "group" | "all";
      /** @enum {string} */
      "messages.read"?: "own" | "group" | "all";
      /** @enum {string} */
      "messages.send"?: "own" | "group" | "all";
      /** @enum {string} */
      "hl7.read"?: "own" | "group" | "all";
      /** @enum {string} */
      "hl7.write"?: "own" | "group" | "all";
      /** @enum {string} */
      "sip.read"?: "own" | "group" | "all";
      /** @enum {string} */
      "platform.read"?: "own" | "group" | "all";
    };
    /** Person */
    Person: {
      email: string;
      phone: string;
      firstname: string;
      lastname: string;
    };
    /** PlatformDeliveryQueue */
    PlatformDeliveryQueue: {
      /** @enum {string} */
      object:
        | "ticket"
        | "media"
        | "conversation"
        | "smsmessage"
        | "conversationevent"
        | "subscription"
        | "delivery";
      queue: string;
      reachable: boolean;
      waiting: number | null;
      active: number | null;
      delayed: number | null;
      failed: number | null;
      oldest_waiting_seconds: number | null;
      workers: number | null;
      incoming_per_second: number;
      delivered_per_second: number;
      failed_per_second: number;
    };
    /** PlatformHealth */
    PlatformHealth: {
      at: string;
      /** @enum {string} */
      state: "ok" | "notice" | "slow" | "failing" | "down";
      parts: components["schemas"]["PlatformPart"][];
    };
    /** PlatformOffPeriod */
    PlatformOffPeriod: {
      since: string;
      until: string | null;
      reason: string | null;
    };
    /** PlatformPart */
    PlatformPart: {
      part: string;
      /** @enum {string} */
      state: "ok" | "notice" | "slow" | "failing" | "down";
      /** @enum {string} */
      code:
        | "ok"
        | "outbox_old"
        | "dead_letters"
        | "queue_unreachable"
        | "no_workers"
        | "jobs_old"
        | "jobs_failed"
        | "past_due"
        | "circuits_open"
        | "attempts_fail"
        | "tasks_late"
        | "tasks_failed"
        | "schedule_stopped"
        | "passes_fail";
      /**
       * @deprecated
       * @description The old name of `code`
       */
      old_code: string;
      since: string | null;
      number: number | null;
      /** @enum {string|null} */
      unit: "seconds" | "count" | "percent" | null;
      detail: string | null;
      runbook: string | null;
    };
    /** PlatformPass */
    PlatformPass: {
      name: string;
      every_ms: number;
      ran: string;
      ran_seconds_ago: number;
      took_ms: number;
      failing_since: string | null;
      reason: string | null;
    };
    /** PlatformPipeline */
    PlatformPipeline: {
      past_due_seconds: number | null;
      in_flight: number;
      window: number;
      attempts_per_second: number;
      failed_per_second: number;
    };
    /** PlatformQueues */
    PlatformQueues: {
      at: string;
      /** @enum {string} */
      backend: "redis" | "postgres";
      queues_unreachable_since: string | null;
      /**
       * @deprecated
       * @description The old name of `queues_unreachable_since`
       */
      queues_away_since: string | null;
      rates: components["schemas"]["PlatformRates"];
      relay: components["schemas"]["PlatformRelay"];
      deliveries: components["schemas"]["PlatformDeliveryQueue"][];
      pipeline: components["schemas"]["PlatformPipeline"];
      receivers: components["schemas"]["PlatformReceivers"];
      queues: components["schemas"]["PlatformTaskQueue"][];
      /**
       * @deprecated
       * @description The old name of `queues`
       */
      lanes: components["schemas"]["PlatformTaskQueue"][];
      schedule: components["schemas"]["PlatformPass"][];
    };
    /** PlatformRates */
    PlatformRates: {
      seconds: number;
      until: string;
      until_seconds_ago: number;
    };
    /** PlatformReceivers */
    PlatformReceivers: {
      active: number;
      failing: number;
      throttled: number;
      open: number;
      off: number;
    };
    /** PlatformRelay */
    PlatformRelay: {
      outbox: number;
      oldest_seconds: number | null;
      dead_letters: number;
      /**
       * @deprecated
       * @description The old name of `dead_letters`
       */
      set_aside: number;
    };
    /** PlatformTaskQueue */
    PlatformTaskQueue: {
      /** @enum {string} */
      kind: "timers" | "messages" | "media";
      /**
       * @deprecated
       * @description The old name of `kind`
       * @enum {string}
       */
      lane: "timers" | "messages" | "media";
      queue: string;
      reachable: boolean;
      waiting: number | null;
      active: number | null;
      delayed: number | null;
      failed: number | null;
      oldest_waiting_seconds: number | null;
      workers: number | null;
      tasks: components["schemas"]["PlatformTasks"];
    };
    /** PlatformTasks */
    PlatformTasks: {
      waiting: number;
      due: number;
      queued: number;
      running: number;
      failed: number;
      done_last_minute: number;
      oldest_due_seconds: number | null;
    };
    /** PlatformVerdictCount */
    PlatformVerdictCount: {
      /** @enum {string} */
      verdict:
        | "delivered"
        | "available"
        | "pulled"
        | "in_flight"
        | "waiting"
        | "waits_for_other"
        | "throttled"
        | "circuit_open"
        | "paused"
        | "dead"
        | "cancelled"
        | "not_fanned_out"
        | "dead_letter"
        | "filters"
        | "conditions"
        | "off"
        | "created_later"
        | "deleted"
        | "own"
        | "changing"
        | "undetermined"
        | "removed"
        | "gap";
      count: number;
      mismatches: components["schemas"]["MismatchCounts"];
    };
    /** PlatformWebhookExplanation */
    PlatformWebhookExplanation: {
      enterprise: number;
      webhook: number;
      /** @enum {string} */
      mode: "push" | "pull";
      active: boolean;
      deleted: boolean;
      since: string;
      until: string;
      kept_since: string;
      clamped: boolean;
      truncated_at: string | null;
      /** @enum {string} */
      verdict:
        | "gap"
        | "dead_letter"
        | "off"
        | "throttled"
        | "circuit_open"
        | "failing"
        | "not_fanned_out"
        | "behind"
        | "waits_for_other"
        | "cancelled"
        | "available"
        | "removed"
        | "delivered"
        | "pulled"
        | "in_flight"
        | "no_events"
        | "filters"
        | "conditions"
        | "created_later"
        | "deleted"
        | "own"
        | "changing"
        | "undetermined";
      count: number;
      text: string;
      advice: string;
      events: number;
      matched: number;
      arrived: number;
      deliveries: number;
      states: components["schemas"]["StateCount"][];
      results: components["schemas"]["ResultCount"][];
      attempts: components["schemas"]["AttemptCounts"];
      health: components["schemas"]["ExplainedHealth"];
      verdicts: components["schemas"]["PlatformVerdictCount"][];
      off: components["schemas"]["PlatformOffPeriod"][];
    };
    /** Position */
    Position: {
      lat: number;
      lng: number;
    };
    /** PositionRequest */
    PositionRequest: {
      id: string;
      /** Format: date-time */
      created: string;
    };
    /** ProbedWebhook */
    ProbedWebhook: {
      webhook: number;
      due: string;
    };
    /** Problem */
    Problem: {
      /**
       * Format: uri
       * @description Address of the documentation of the problem
       */
      type: string;
      title: string;
      /** @description HTTP status */
      status: number;
      detail: string;
      /** @description The id of the request */
      instance: string;
      /** @description Stable code of the problem */
      code: number;
      /** @description The same as `detail` */
      message: string;
      /** @description The cause, in a fixed form: `Parameter phone`, `Header Idempotency-Key`, `Permission tickets.write`, `Transition done → invited`. Empty if there is no specific cause. */
      details: string;
      /** @description All invalid fields */
      errors: {
        /** @description `headers[0].name` inside lists; `body` for the body as a whole */
        field: string;
        /** @description A stable word: `format`, `range` */
        reason: string;
      }[];
      /** @description A code for programs: at `/api/token` that of RFC 6749, on 429 `too_many_requests` */
      error?: string;
    };
    /** PulledEvent */
    PulledEvent: {
      sequence: number;
      cursor: string;
      event_id: string | null;
      /**
       * @deprecated
       * @description The old name of `event_id`
       */
      webhook_id: string | null;
      object: string;
      event: string | null;
      event_type: string | null;
      object_id: number | string | null;
      time: string;
      body: string | null;
      expunged: boolean;
      replay: boolean;
      state: string;
      attempt_count: number;
    };
    /** PulledEventPage */
    PulledEventPage: {
      data: components["schemas"]["PulledEvent"][];
      next: string;
      has_more: boolean;
      skipped: components["schemas"]["SkippedSequences"][];
    };
    /** QualitySeconds */
    QualitySeconds: {
      good: number;
      fair: number;
      poor: number;
    };
    /** QuotaUse */
    QuotaUse: {
      used: number;
      max: number | null;
    };
    /** Reconciliation */
    Reconciliation: {
      since: string;
      until: string;
      kept_since: string;
      clamped: boolean;
      events: number;
      expected: number;
      found: number;
      waiting: number;
      undetermined: number;
      /**
       * @deprecated
       * @description The old name of `undetermined`
       */
      unjudged: number;
      gaps: components["schemas"]["DeliveryGap"][];
      next_cursor: string | null;
    };
    /** Recording */
    Recording: {
      id: number;
      /** @enum {string} */
      state: "inprogress" | "uncompleted" | "completed" | "error";
      type: string;
      chunks: number;
      bytes: number;
    };
    /** RecordingChunk */
    RecordingChunk: {
      number: number;
      bytes: number;
    };
    /** RefusedWebhookDelivery */
    RefusedWebhookDelivery: {
      id: number;
      detail: string;
    };
    /** RefusedWebhookRetry */
    RefusedWebhookRetry: {
      id: number;
      /** @enum {string} */
      reason: "not_found" | "in_flight" | "due" | "waits" | "webhook_off" | "ended" | "pulled";
      detail: string;
    };
    /** RepeatedWebhookDelivery */
    RepeatedWebhookDelivery: {
      id: number;
      webhook: number;
      /** @enum {string} */
      state: "counting" | "running" | "paused" | "done" | "cancelled" | "failed";
      criteria: components["schemas"]["WebhookReplayCriteria"];
      rate: number;
      total: number | null;
      made: number;
      skipped: number | null;
      not_made: number | null;
      delivered: number;
      dead: number;
      cancelled: number;
      waiting: number;
      progress: number;
      deliveries_per_second: number;
      estimated_end: string | null;
      created: string;
      started: string | null;
      ended: string | null;
      error: string | null;
      created_by: number | null;
      delivery_id: number;
    };
    /** ReplayedWebhookDeliveries */
    ReplayedWebhookDeliveries: {
      replayed: components["schemas"]["ReplayedWebhookDelivery"][];
      refused: components["schemas"]["RefusedWebhookDelivery"][];
      replays: number[];
    };
    /** ReplayedWebhookDelivery */
    ReplayedWebhookDelivery: {
      id: number;
      delivery_id: number;
    };
    /** Requestor */
    Requestor: {
      phone?: string;
      email?: string;
      firstname?: string;
      lastname?: string;
      company?: string;
    };
    /** ResultCount */
    ResultCount: {
      /** @enum {string} */
      result:
        | "1xx"
        | "2xx"
        | "3xx"
        | "4xx"
        | "5xx"
        | "timeout_connect"
        | "timeout_response"
        | "dns"
        | "refused"
        | "reset"
        | "unreachable"
        | "tls"
        | "protocol"
        | "blocked_target"
        | "oauth2"
        | "aborted"
        | "interrupted"
        | "other";
      count: number;
    };
    /** RetriedWebhookDeliveries */
    RetriedWebhookDeliveries: {
      retried: components["schemas"]["RetriedWebhookDelivery"][];
      refused: components["schemas"]["RefusedWebhookRetry"][];
    };
    /** RetriedWebhookDelivery */
    RetriedWebhookDelivery: {
      id: number;
      webhook: number;
      due: string;
      throttled_until: string | null;
      probed: boolean;
    };
    /** RoomConference */
    RoomConference: {
      name: string;
      /** @enum {string} */
      status: "scheduled" | "ongoing" | "ended" | "cancelled";
      start_time: string;
      end_time: string;
      moderation: boolean;
    };
    /** RoomMessage */
    RoomMessage: {
      id: number;
      /** @enum {string} */
      author: "agent" | "guest" | "system";
      name: string;
      text: string;
      created: string;
    };
    /** RoomMessageList */
    RoomMessageList: {
      total: number;
      data: components["schemas"]["RoomMessage"][];
    };
    /** RoomToken */
    RoomToken: {
      room_token: string;
      expires_in: number;
      role: string;
      participant: string;
      visit: string;
    };
    /** Service */
    Service: {
      id: number;
      service_key: string;
      name: string;
      /** @enum {string} */
      kind: "ticket" | "conference";
      description: string | null;
      ticket_types: string[];
      is_active: boolean;
      asks_position: boolean;
      not_clicked_minutes: number;
      reminder_minutes: number | null;
      /** @enum {string|null} */
      language: "fr" | "en" | "es" | "de" | "it" | "nl" | "pt" | null;
      media_retention_days: number;
      /** @enum {string} */
      room_backend: "auto" | "mesh" | "livekit";
      groups: components["schemas"]["GroupName"][];
      created: string;
      modified: string;
    };
    /** ServiceList */
    ServiceList: {
      total: number;
      data: components["schemas"]["Service"][];
    };
    /** Session */
    Session: {
      /** Format: uuid */
      id: string;
      start_time: string;
      end_time: string;
      billing_duration: number;
      total_participant_count: number;
      organizer: components["schemas"]["SessionOrganizer"];
      enterprise: components["schemas"]["SessionEnterprise"];
      service: components["schemas"]["SessionService"];
      /** @enum {string} */
      type: "conference" | "ticket";
      participants: components["schemas"]["SessionParticipant"][];
    };
    /** SessionAgentContactedEvent */
    SessionAgentContactedEvent: {
      id: number;
      /** @enum {string} */
      eventType: "session.agentContacted";
      /** @enum {integer} */
      eventCode: 31;
      conversationId: number;
      ticketId: number;
      created: string;
      /** @enum {string} */
      source: "agent" | "guest" | "system";
      agent: components["schemas"]["Person"];
    };
    /** SessionAgentLeftEvent */
    SessionAgentLeftEvent: {
      id: number;
      /** @enum {string} */
      eventType: "session.agentLeft";
      /** @enum {integer} */
      eventCode: 32;
      conversationId: number;
      ticketId: number;
      created: string;
      /** @enum {string} */
      source: "agent" | "guest" | "system";
      agent: components["schemas"]["Person"];
    };
    /** SessionCounts */
    SessionCounts: {
      sessions: number;
      participants: number;
      billing_duration: number;
      duration: number;
    };
    /** SessionCountsOfDay */
    SessionCountsOfDay: {
      day: string;
      sessions: number;
      participants: number;
      billing_duration: number;
      duration: number;
    };
    /** SessionCountsOfService */
    SessionCountsOfService: {
      id: number;
      key: string;
      name: string;
      sessions: number;
      participants: number;
      billing_duration: number;
      duration: number;
    };
    /** SessionEnterprise */
    SessionEnterprise: {
      id: number;
      name: string;
    };
    /** SessionEstablishedEvent */
    SessionEstablishedEvent: {
      id: number;
      /** @enum {string} */
      eventType: "session.established";
      /** @enum {integer} */
      eventCode: 30;
      conversationId: number;
      ticketId: number;
      created: string;
      /** @enum {string} */
      source: "agent" | "guest" | "system";
      requestor: components["schemas"]["Person"];
    };
    /** SessionExport */
    SessionExport: {
      /** Format: uuid */
      id: string;
      start_time: string;
      end_time: string;
      billing_duration: number;
      total_participant_count: number;
      organizer: string;
      service: string;
      service_key: string;
      /** @enum {string} */
      type: "conference" | "ticket";
    };
    /** SessionOrganizer */
    SessionOrganizer: {
      id: number;
      name: string;
    };
    /** SessionParticipant */
    SessionParticipant: {
      name: string;
      /** @enum {string} */
      role: "agent" | "requestor" | "expert" | "organizer" | "moderator" | "participant";
      user_id: number | null;
      start_time: string;
      end_time: string;
      duration: number;
      quality: components["schemas"]["QualitySeconds"] | null;
    };
    /** SessionService */
    SessionService: {
      id: number;
      key: string;
      name: string;
    };
    /** SessionStatistic */
    SessionStatistic: {
      /** Format: uuid */
      id: string;
      start_time: string;
      end_time: string;
      billing_duration: number;
      total_participant_count: number;
      organizer: components["schemas"]["SessionOrganizer"];
      enterprise: components["schemas"]["SessionEnterprise"];
      service: components["schemas"]["SessionService"];
      /** @enum {string} */
      type: "conference" | "ticket";
    };
    /** SessionStatisticList */
    SessionStatisticList: {
      total: number;
      since: string;
      until: string;
      data: components["schemas"]["SessionStatistic"][];
    };
    /** SessionSummary */
    SessionSummary: {
      since: string;
      until: string;
      time_zone: string;
      total: components["schemas"]["SessionCounts"];
      days: components["schemas"]["SessionCountsOfDay"][];
      services: components["schemas"]["SessionCountsOfService"][];
    };
    /** SessionUserLeftEvent */
    SessionUserLeftEvent: {
      id: number;
      /** @enum {string} */
      eventType: "session.userLeft";
      /** @enum {integer} */
      eventCode: 33;
      conversationId: number;
      ticketId: number;
      created: string;
      /** @enum {string} */
      source: "agent" | "guest" | "system";
      requestor: components["schemas"]["Person"];
    };
    /** SignedInDevice */
    SignedInDevice: {
      id: number;
      created: string;
      last_seen: string;
      expires_at: string;
      browser: string;
      system: string;
      user_agent: string | null;
      embedded: boolean;
      current: boolean;
    };
    /** SignedInDeviceList */
    SignedInDeviceList: {
      total: number;
      data: components["schemas"]["SignedInDevice"][];
    };
    /** SipMapping */
    SipMapping: {
      conference_id: number;
      room_name: string;
      /** @description The phone caller waits to be admitted. */
      moderation: boolean;
      sip_uri: string;
    };
    /** SkippedSequences */
    SkippedSequences: {
      from: number;
      to: number;
    };
    /** Sms */
    Sms: {
      id: number;
      /** @enum {string} */
      status: "queued" | "sent" | "delivered" | "undelivered" | "failed";
      to: string;
      sender: string;
      text: string;
      segments: number;
      error: string | null;
      ticketId: number | null;
      conferenceId: number | null;
      created: string;
      modified: string;
      sent: string | null;
    };
    /** SmsList */
    SmsList: {
      total: number;
      data: components["schemas"]["Sms"][];
    };
    /** StateCount */
    StateCount: {
      /** @enum {string} */
      status:
        | "pending"
        | "queued"
        | "sending"
        | "retry"
        | "delivered"
        | "dead"
        | "paused"
        | "cancelled"
        | "available";
      count: number;
    };
    /** SubjectSessionParticipant */
    SubjectSessionParticipant: {
      name: string;
      /** @enum {string} */
      role: "agent" | "requestor" | "expert" | "organizer" | "moderator" | "participant";
      user_id: number | null;
      start_time: string;
      end_time: string | null;
      quality: components["schemas"]["QualitySeconds"] | null;
    };
    /** SupervisorToken */
    SupervisorToken: {
      room_token: string;
      expires_in: number;
      role: string;
      participant: string;
      visit: string;
    };
    /** Survey */
    Survey: {
      enabled: boolean;
      questions: {
        label: {
          /** @description One line of text that is not blank */
          fr?: string;
          /** @description One line of text that is not blank */
          en?: string;
          /** @description One line of text that is not blank */
          es?: string;
          /** @description One line of text that is not blank */
          de?: string;
          /** @description One line of text that is not blank */
          it?: string;
          /** @description One line of text that is not blank */
          nl?: string;
          /** @description One line of text that is not blank */
          pt?: string;
        };
      }[];
      feedback: boolean;
    };
    /** SurveyAnswer */
    SurveyAnswer: {
      questions: components["schemas"]["SurveyQuestion"][];
      feedback: string;
    };
    /** SurveyAnsweredEvent */
    SurveyAnsweredEvent: {
      id: number;
      /** @enum {string} */
      eventType: "survey.answered";
      /** @enum {integer} */
      eventCode: 50;
      conversationId: number;
      ticketId: number;
      created: string;
      /** @enum {string} */
      source: "agent" | "guest" | "system";
      requestor: components["schemas"]["Person"];
      surveyAnswer: components["schemas"]["SurveyAnswer"];
    };
    /** SurveyQuestion */
    SurveyQuestion: {
      id: number | string;
      label: {
        [key: string]: string;
      };
      answer: string;
    };
    /** Template */
    Template: {
      id: number;
      serviceId: number | null;
      /** @enum {string} */
      kind: "ticket" | "expert" | "conference" | "reminder" | "cancel";
      /** @enum {string} */
      channel: "email" | "sms";
      /** @enum {string} */
      language: "fr" | "en" | "es" | "de" | "it" | "nl" | "pt";
      subject: string | null;
      text: string;
      html: string | null;
      created: string;
      modified: string;
    };
    /** TemplateList */
    TemplateList: {
      total: number;
      data: components["schemas"]["Template"][];
    };
    /** TemplatePreview */
    TemplatePreview: {
      /** @enum {string} */
      kind: "ticket" | "expert" | "conference" | "reminder" | "cancel";
      /** @enum {string} */
      channel: "email" | "sms";
      /** @enum {string} */
      language: "fr" | "en" | "es" | "de" | "it" | "nl" | "pt";
      subject: string | null;
      text: string;
      html: string | null;
      segments: number | null;
      characters: number;
      /** @enum {string|null} */
      encoding: "GSM-7" | "UCS-2" | null;
    };
    /** Ticket */
    Ticket: {
      id: number;
      state: string;
      status: string;
      reference: string;
      /** Format: date-time */
      created: string;
      /** Format: date-time */
      modified: string;
      /** Format: date-time */
      start_time: string;
      /** Format: date-time */
      end_time: string;
      subject: string | null;
      type: string;
      description: string | null;
      agent: string;
      /** Format: uri */
      requestor_url: string;
      requestor: components["schemas"]["Requestor"];
      /** Format: uri */
      information_page_url: string;
      service_key: string;
      /** Format: uri */
      agent_url: string;
      name: string | null;
      button_id: number;
      priority: number;
      language: string | null;
      geoloc: components["schemas"]["Geoloc"];
    };
    /** TicketApprovedEvent */
    TicketApprovedEvent: {
      id: number;
      /** @enum {string} */
      eventType: "ticket.approved";
      /** @enum {integer} */
      eventCode: 2;
      conversationId: number;
      ticketId: number;
      created: string;
      /** @enum {string} */
      source: "agent" | "guest" | "system";
      agent: components["schemas"]["Person"];
    };
    /** TicketAssignedEvent */
    TicketAssignedEvent: {
      id: number;
      /** @enum {string} */
      eventType: "ticket.assigned";
      /** @enum {integer} */
      eventCode: 3;
      conversationId: number;
      ticketId: number;
      created: string;
      /** @enum {string} */
      source: "agent" | "guest" | "system";
      agent: components["schemas"]["Person"];
    };
    /** TicketCancelledEvent */
    TicketCancelledEvent: {
      id: number;
      /** @enum {string} */
      eventType: "ticket.cancelled";
      /** @enum {integer} */
      eventCode: 5;
      conversationId: number;
      ticketId: number;
      created: string;
      /** @enum {string} */
      source: "agent" | "guest" | "system";
      agent: components["schemas"]["Person"];
    };
    /** TicketClosedEvent */
    TicketClosedEvent: {
      id: number;
      /** @enum {string} */
      eventType: "ticket.closed";
      /** @enum {integer} */
      eventCode: 6;
      conversationId: number;
      ticketId: number;
      created: string;
      /** @enum {string} */
      source: "agent" | "guest" | "system";
      agent: components["schemas"]["Person"];
    };
    /** TicketColleague */
    TicketColleague: {
      id: number;
      login: string;
      name: string;
      may_take: boolean;
    };
    /** TicketColleagueList */
    TicketColleagueList: {
      total: number;
      data: components["schemas"]["TicketColleague"][];
    };
    /** TicketCompletedEvent */
    TicketCompletedEvent: {
      id: number;
      /** @enum {string} */
      eventType: "ticket.completed";
      /** @enum {integer} */
      eventCode: 4;
      conversationId: number;
      ticketId: number;
      created: string;
      /** @enum {string} */
      source: "agent" | "guest" | "system";
      agent: components["schemas"]["Person"];
    };
    /** TicketCounts */
    TicketCounts: {
      tickets: number;
      states: components["schemas"]["TicketStateCounts"];
      answered: number;
      emails: number;
      sms: number;
      calls: number;
      call_seconds: number;
      photos: number;
      videos: number;
    };
    /** TicketCountsOfAgent */
    TicketCountsOfAgent: {
      id: number;
      name: string;
      tickets: number;
      states: components["schemas"]["TicketStateCounts"];
      answered: number;
      emails: number;
      sms: number;
      calls: number;
      call_seconds: number;
      photos: number;
      videos: number;
    };
    /** TicketCountsOfDay */
    TicketCountsOfDay: {
      day: string;
      tickets: number;
      states: components["schemas"]["TicketStateCounts"];
      answered: number;
      emails: number;
      sms: number;
      calls: number;
      call_seconds: number;
      photos: number;
      videos: number;
    };
    /** TicketCountsOfService */
    TicketCountsOfService: {
      id: number;
      name: string;
      tickets: number;
      states: components["schemas"]["TicketStateCounts"];
      answered: number;
      emails: number;
      sms: number;
      calls: number;
      call_seconds: number;
      photos: number;
      videos: number;
    };
    /** TicketEvent */
    TicketEvent:
      | components["schemas"]["TicketNewEvent"]
      | components["schemas"]["TicketApprovedEvent"]
      | components["schemas"]["TicketAssignedEvent"]
      | components["schemas"]["TicketCompletedEvent"]
      | components["schemas"]["TicketCancelledEvent"]
      | components["schemas"]["TicketClosedEvent"]
      | components["schemas"]["TicketPriorityChangedEvent"]
      | components["schemas"]["TicketSessionStartedEvent"]
      | components["schemas"]["TicketInvitationSentEvent"]
      | components["schemas"]["TicketInvitationResentEvent"]
      | components["schemas"]["TicketInvitationAcceptedEvent"]
      | components["schemas"]["TicketInvitationDeclinedEvent"]
      | components["schemas"]["TicketInvitationClickedEvent"]
      | components["schemas"]["TicketInvitationNotclickedEvent"]
      | components["schemas"]["TicketInvitationExpiredEvent"]
      | components["schemas"]["ConsentAcceptedEvent"]
      | components["schemas"]["GeoAnsAllowedEvent"]
      | components["schemas"]["GeoAnsDisallowedEvent"]
      | components["schemas"]["MediaDeviceAllowedEvent"]
      | components["schemas"]["MediaDeviceDisallowedEvent"]
      | components["schemas"]["MediaDeviceCameraAllowedEvent"]
      | components["schemas"]["MediaDeviceCameraDisallowedEvent"]
      | components["schemas"]["MediaDeviceMicAllowedEvent"]
      | components["schemas"]["MediaDeviceMicDisallowedEvent"]
      | components["schemas"]["SessionEstablishedEvent"]
      | components["schemas"]["SessionAgentContactedEvent"]
      | components["schemas"]["SessionAgentLeftEvent"]
      | components["schemas"]["SessionUserLeftEvent"]
      | components["schemas"]["MediaPictureTakenEvent"]
      | components["schemas"]["MediaOCRDoneEvent"]
      | components["schemas"]["MediaPictureSentEvent"]
      | components["schemas"]["SurveyAnsweredEvent"];
    /** TicketEventList */
    TicketEventList: components["schemas"]["TicketEvent"][];
    /** TicketInvitationAcceptedEvent */
    TicketInvitationAcceptedEvent: {
      id: number;
      /** @enum {string} */
      eventType: "ticket.invitationAccepted";
      /** @enum {integer} */
      eventCode: 12;
      conversationId: number;
      ticketId: number;
      created: string;
      /** @enum {string} */
      source: "agent" | "guest" | "system";
      requestor: components["schemas"]["Person"];
    };
    /** TicketInvitationClickedEvent */
    TicketInvitationClickedEvent: {
      id: number;
      /** @enum {string} */
      eventType: "ticket.invitationClicked";
      /** @enum {integer} */
      eventCode: 14;
      conversationId: number;
      ticketId: number;
      created: string;
      /** @enum {string} */
      source: "agent" | "guest" | "system";
      requestor: components["schemas"]["Person"];
    };
    /** TicketInvitationDeclinedEvent */
    TicketInvitationDeclinedEvent: {
      id: number;
      /** @enum {string} */
      eventType: "ticket.invitationDeclined";
      /** @enum {integer} */
      eventCode: 13;
      conversationId: number;
      ticketId: number;
      created: string;
      /** @enum {string} */
      source: "agent" | "guest" | "system";
      requestor: components["schemas"]["Person"];
    };
    /**
     * TicketInvitationExpiredEvent
     * @deprecated
     * @description Still sent; use the webhook of the ticket with the state `expired` instead
     */
    TicketInvitationExpiredEvent: {
      id: number;
      /** @enum {string} */
      eventType: "ticket.invitationExpired";
      /** @enum {integer} */
      eventCode: 16;
      conversationId: number;
      ticketId: number;
      created: string;
      /** @enum {string} */
      source: "agent" | "guest" | "system";
    };
    /** TicketInvitationNotclickedEvent */
    TicketInvitationNotclickedEvent: {
      id: number;
      /** @enum {string} */
      eventType: "ticket.invitationNotclicked";
      /** @enum {integer} */
      eventCode: 15;
      conversationId: number;
      ticketId: number;
      created: string;
      /** @enum {string} */
      source: "agent" | "guest" | "system";
      requestor: components["schemas"]["Person"];
    };
    /** TicketInvitationResentEvent */
    TicketInvitationResentEvent: {
      id: number;
      /** @enum {string} */
      eventType: "ticket.invitationResent";
      /** @enum {integer} */
      eventCode: 11;
      conversationId: number;
      ticketId: number;
      created: string;
      /** @enum {string} */
      source: "agent" | "guest" | "system";
      requestor: components["schemas"]["Person"];
    };
    /** TicketInvitationSentEvent */
    TicketInvitationSentEvent: {
      id: number;
      /** @enum {string} */
      eventType: "ticket.invitationSent";
      /** @enum {integer} */
      eventCode: 10;
      conversationId: number;
      ticketId: number;
      created: string;
      /** @enum {string} */
      source: "agent" | "guest" | "system";
      requestor: components["schemas"]["Person"];
    };
    /** TicketItem */
    TicketItem: {
      id: number;
      state: string;
      reference: string;
      /** Format: date-time */
      created: string;
      /** Format: date-time */
      modified: string;
      /** Format: date-time */
      start_time: string;
      /** Format: date-time */
      end_time: string;
      subject: string | null;
      type: string;
      description: string | null;
      agent: string;
      /** Format: uri */
      requestor_url: string;
      requestor: components["schemas"]["Requestor"];
      /** Format: uri */
      information_page_url: string;
      service_key: string;
      geoloc: components["schemas"]["Geoloc"];
    };
    /** TicketList */
    TicketList: {
      total: number;
      data: components["schemas"]["TicketItem"][];
    };
    /** TicketMedia */
    TicketMedia: {
      id: number;
      title: string;
      /** @description MIME type */
      type: string;
      /** Format: uuid */
      hash: string;
      description: string | null;
      /** @enum {string} */
      source_type:
        | "ticket_snapshot"
        | "ticket_share"
        | "ticket_record"
        | "conf_snapshot"
        | "conf_share"
        | "conf_record";
      /** @description Only if a position is known. */
      location?: {
        lat: number;
        lon: number;
      };
      /** Format: uri */
      url: string;
    };
    /** TicketMediaList */
    TicketMediaList: {
      limit: number;
      offset: number;
      medias: components["schemas"]["TicketMedia"][];
      /** @description Total number of matches. */
      count: number;
    };
    /** TicketMessage */
    TicketMessage: {
      /** @enum {string} */
      channel: "sms" | "email";
      id: number;
      /** @enum {string} */
      status: "queued" | "sent" | "delivered" | "undelivered" | "failed";
      to: string;
      error: string | null;
      created: string;
      modified: string;
      sent: string | null;
    };
    /** TicketMessageList */
    TicketMessageList: {
      total: number;
      data: components["schemas"]["TicketMessage"][];
    };
    /** TicketNewEvent */
    TicketNewEvent: {
      id: number;
      /** @enum {string} */
      eventType: "ticket.new";
      /** @enum {integer} */
      eventCode: 1;
      conversationId: number;
      ticketId: number;
      created: string;
      /** @enum {string} */
      source: "agent" | "guest" | "system";
      agent: components["schemas"]["Person"];
    };
    /** TicketPriorityChangedEvent */
    TicketPriorityChangedEvent: {
      id: number;
      /** @enum {string} */
      eventType: "ticket.priorityChanged";
      /** @enum {integer} */
      eventCode: 7;
      conversationId: number;
      ticketId: number;
      created: string;
      /** @enum {string} */
      source: "agent" | "guest" | "system";
      agent: components["schemas"]["Person"];
      oldPriority: number;
      newPriority: number;
    };
    /** TicketRequest */
    TicketRequest: {
      state: string;
      /** Format: uri */
      requestor_url: string;
      /** Format: uri */
      information_page_url: string;
    };
    /** TicketSession */
    TicketSession: {
      /** Format: uuid */
      id: string;
      start_time: string;
      end_time: string | null;
      /** @enum {string|null} */
      end_reason: "empty" | "ended" | "limit" | "crash" | null;
      billing_duration: number | null;
      call_duration: number | null;
      total_participant_count: number;
      participants: components["schemas"]["SubjectSessionParticipant"][];
    };
    /** TicketSessionList */
    TicketSessionList: {
      total: number;
      data: components["schemas"]["TicketSession"][];
    };
    /** TicketSessionStartedEvent */
    TicketSessionStartedEvent: {
      id: number;
      /** @enum {string} */
      eventType: "ticket.sessionStarted";
      /** @enum {integer} */
      eventCode: 8;
      conversationId: number;
      ticketId: number;
      created: string;
      /** @enum {string} */
      source: "agent" | "guest" | "system";
    };
    /** TicketStateCounts */
    TicketStateCounts: {
      new?: number;
      open?: number;
      opened?: number;
      invited?: number;
      inprogress?: number;
      updated?: number;
      done?: number;
      rejected?: number;
      declined?: number;
      expired?: number;
      closed?: number;
    };
    /** TicketStatistics */
    TicketStatistics: {
      ID: number;
      Ref: string;
      Description: string;
      "Priorit\u00E9": string;
      Demandeur: string;
      Contact: string;
      Etat: string;
      "Assign\u00E9 \u00E0": string;
      Groupe: string;
      Type: string | null;
      "Date de d\u00E9but de session": string;
      "Date de fin": string;
      "R\u00E9pondues": string;
      "Nombre d'invitations": number;
      "Nombre d'invitations email": number;
      "Nombre d'invitations SMS": number;
      "Nombre Appels": number;
      "Dur\u00E9e totale des appels (secondes)": number;
      Photos: number;
      "Vid\u00E9os": number;
      Identifiant: string;
      Service: string;
      Scans: number;
      Appareil: string;
      "Syst\u00E8me d'exploitation": string;
      Navigateur: string;
    };
    /** TicketStatisticsPage */
    TicketStatisticsPage: {
      data: components["schemas"]["TicketStatistics"][];
      next: number | null;
    };
    /** TicketSummary */
    TicketSummary: {
      since: string;
      until: string;
      time_zone: string;
      total: components["schemas"]["TicketCounts"];
      days: components["schemas"]["TicketCountsOfDay"][];
      services: components["schemas"]["TicketCountsOfService"][];
      agents: components["schemas"]["TicketCountsOfAgent"][];
    };
    /** Token */
    Token: {
      access_token: string;
      created_at: string;
      expires_in: number;
      /** @enum {string} */
      token_type: "Bearer";
      refresh_token?: string;
    };
    /** TokenCheck */
    TokenCheck: {
      /** @enum {boolean} */
      valid: true;
    };
    /** UnmetCondition */
    UnmetCondition: {
      condition: string;
      found: components["schemas"]["FoundValue"][];
    };
    /** User */
    User: {
      id: number;
      login: string;
      email: string;
      phone: string;
      firstname: string;
      lastname: string;
      nickname: string;
      /** @enum {string} */
      role: "viewer" | "agent" | "manager" | "admin" | "integration" | "superadmin";
      isAgent: boolean;
      isActive: boolean;
      /** @enum {string} */
      accountType: "platform" | "solution";
      /** @enum {string|null} */
      language: "fr" | "en" | "es" | "de" | "it" | "nl" | "pt" | null;
      external_id: string | null;
      groups: components["schemas"]["GroupName"][];
      photo_url: string;
      created: string;
      modified: string;
    };
    /** UserGroup */
    UserGroup: {
      id: number;
      name: string;
      members: components["schemas"]["GroupMember"][];
    };
    /** UserGroupList */
    UserGroupList: {
      total: number;
      data: components["schemas"]["UserGroup"][];
    };
    /** UserList */
    UserList: {
      total: number;
      data: components["schemas"]["User"][];
    };
    /** UserReference */
    UserReference: {
      id: number;
      name: string;
    };
    /** VerdictCount */
    VerdictCount: {
      count: number;
      /** @enum {string} */
      verdict:
        | "delivered"
        | "available"
        | "pulled"
        | "in_flight"
        | "waiting"
        | "waits_for_other"
        | "throttled"
        | "circuit_open"
        | "paused"
        | "dead"
        | "cancelled"
        | "not_fanned_out"
        | "dead_letter"
        | "filters"
        | "conditions"
        | "off"
        | "created_later"
        | "deleted"
        | "own"
        | "changing"
        | "undetermined"
        | "removed"
        | "gap";
      text: string;
      since: string | null;
      until: string | null;
      reason: string | null;
      changed_by: string | null;
      changed_by_id: number | null;
      mismatches: components["schemas"]["MismatchCounts"];
      filters: components["schemas"]["FilterMismatch"][];
      conditions: components["schemas"]["UnmetCondition"][];
      example: components["schemas"]["VerdictExample"];
    };
    /** VerdictExample */
    VerdictExample: {
      event_id: string;
      /**
       * @deprecated
       * @description The old name of `event_id`
       */
      webhook_id: string;
      object: string;
      event: string;
      event_type: string | null;
      object_id: number | string;
      time: string;
      delivery: number | null;
    };
    /** Webhook */
    Webhook: {
      id: number;
      name: string;
      /** @enum {string} */
      mode: "push" | "pull";
      url: string | null;
      active: boolean;
      ordered: boolean;
      maxInFlight: number | null;
      maxPerSecond: number | null;
      retrySchedule: number[] | null;
      filters: string[];
      conditions: {
        [key: string]: unknown;
      } | null;
      headers: components["schemas"]["WebhookHeader"][];
      signatures: ("v1" | "v1a")[];
      headerPresets: ("github" | "stripe")[];
      oauth2: components["schemas"]["WebhookOAuth2"];
      clientCertificate: components["schemas"]["WebhookClientCertificate"];
      secrets: components["schemas"]["WebhookSecret"][];
      publicKeys: components["schemas"]["WebhookPublicKey"][];
      undecryptable: ("headers" | "oauth2" | "clientCertificate" | "secrets" | "publicKeys")[];
      created: string;
      modified: string;
      disabled_reason: string | null;
      last_success: string | null;
      last_failure: string | null;
      failing_since: string | null;
      health: components["schemas"]["WebhookHealth"];
    };
    /** WebhookAlertSettings */
    WebhookAlertSettings: {
      failing_minutes: number | null;
      past_due_minutes: number | null;
      failed_deliveries: boolean | null;
      effective: components["schemas"]["EffectiveAlertThresholds"];
    };
    /** WebhookAttempt */
    WebhookAttempt: {
      number: number;
      origin: string | null;
      address_changed: boolean | null;
      counted: boolean;
      started: string;
      ms: number;
      code: number | null;
      error: string | null;
      error_detail: string | null;
      phases: {
        [key: string]: number;
      } | null;
      request_headers: {
        [key: string]: string;
      } | null;
      response_headers: {
        [key: string]: string;
      } | null;
      response_body: string | null;
    };
    /** WebhookClientCertificate */
    WebhookClientCertificate: {
      certificate: string;
      subject: string;
      expires: string;
      key: string;
      ca: string | null;
    } | null;
    /** WebhookCount */
    WebhookCount: {
      count: number;
      more: boolean;
    };
    /** WebhookDelivery */
    WebhookDelivery: {
      id: number;
      webhook: components["schemas"]["DeliveryWebhook"];
      sequence: number;
      event_id: string | null;
      /**
       * @deprecated
       * @description The old name of `event_id`
       */
      webhook_id: string | null;
      object: string;
      event: string | null;
      event_type: string | null;
      object_id: number | string | null;
      /** @enum {string} */
      status:
        | "pending"
        | "queued"
        | "sending"
        | "retry"
        | "delivered"
        | "dead"
        | "paused"
        | "cancelled"
        | "available";
      attempt_count: number;
      next_try: string | null;
      waits_for: number | null;
      created: string;
      ended: string | null;
      end_reason: string | null;
      last_attempt: string | null;
      last_ms: number | null;
      last_result: string | null;
      last_code: number | null;
      last_error: string | null;
      replay: number | null;
      replay_of: number | null;
      waits_for_id: number | null;
      body: string | null;
      expunged: string | null;
      attempts: components["schemas"]["WebhookAttempt"][];
    };
    /** WebhookDeliveryExport */
    WebhookDeliveryExport: {
      complete: boolean;
      next_cursor: string | null;
      data: components["schemas"]["WebhookDeliveryItem"][];
    };
    /** WebhookDeliveryItem */
    WebhookDeliveryItem: {
      id: number;
      webhook: components["schemas"]["DeliveryWebhook"];
      sequence: number;
      event_id: string | null;
      /**
       * @deprecated
       * @description The old name of `event_id`
       */
      webhook_id: string | null;
      object: string;
      event: string | null;
      event_type: string | null;
      object_id: number | string | null;
      /** @enum {string} */
      status:
        | "pending"
        | "queued"
        | "sending"
        | "retry"
        | "delivered"
        | "dead"
        | "paused"
        | "cancelled"
        | "available";
      attempt_count: number;
      next_try: string | null;
      waits_for: number | null;
      created: string;
      ended: string | null;
      end_reason: string | null;
      last_attempt: string | null;
      last_ms: number | null;
      last_result: string | null;
      last_code: number | null;
      last_error: string | null;
      replay: number | null;
      replay_of: number | null;
    };
    /** WebhookDeliveryList */
    WebhookDeliveryList: {
      total: number;
      total_exact: boolean;
      data: components["schemas"]["WebhookDeliveryItem"][];
      next_cursor: string | null;
      examined: number;
      complete: boolean;
    };
    /** WebhookDeliverySearch */
    WebhookDeliverySearch: {
      data: components["schemas"]["WebhookDeliveryItem"][];
      next_cursor: string | null;
      examined: number;
      complete: boolean;
    };
    /** WebhookExplanation */
    WebhookExplanation: {
      name: string;
      webhook: number;
      /** @enum {string} */
      mode: "push" | "pull";
      active: boolean;
      deleted: boolean;
      since: string;
      until: string;
      kept_since: string;
      clamped: boolean;
      truncated_at: string | null;
      /** @enum {string} */
      verdict:
        | "gap"
        | "dead_letter"
        | "off"
        | "throttled"
        | "circuit_open"
        | "failing"
        | "not_fanned_out"
        | "behind"
        | "waits_for_other"
        | "cancelled"
        | "available"
        | "removed"
        | "delivered"
        | "pulled"
        | "in_flight"
        | "no_events"
        | "filters"
        | "conditions"
        | "created_later"
        | "deleted"
        | "own"
        | "changing"
        | "undetermined";
      count: number;
      text: string;
      advice: string;
      events: number;
      matched: number;
      arrived: number;
      deliveries: number;
      states: components["schemas"]["StateCount"][];
      results: components["schemas"]["ResultCount"][];
      attempts: components["schemas"]["AttemptCounts"];
      health: components["schemas"]["ExplainedHealth"];
      verdicts: components["schemas"]["VerdictCount"][];
      kinds: components["schemas"]["EventKindCount"][];
      off: components["schemas"]["OffPeriod"][];
    };
    /** WebhookHeader */
    WebhookHeader: {
      name: string;
      value: string;
    };
    /** WebhookHealth */
    WebhookHealth: {
      /** @enum {string} */
      state: "ok" | "failing" | "throttled" | "open" | "off" | "pull";
      window: number;
      failures_in_row: number;
      last_code: number | null;
      last_error: string | null;
      throttled_until: string | null;
      next_probe: string | null;
      warned: string | null;
      pulled_to: number | null;
      pulled_at: string | null;
    };
    /** WebhookList */
    WebhookList: {
      total: number;
      data: components["schemas"]["Webhook"][];
    };
    /** WebhookOAuth2 */
    WebhookOAuth2: {
      tokenUrl: string;
      clientId: string;
      clientSecret: string;
      scope: string | null;
      audience: string | null;
      /** @enum {string} */
      authentication: "basic" | "form";
    } | null;
    /** WebhookPublicKey */
    WebhookPublicKey: {
      key: string;
      until: string | null;
    };
    /** WebhookRecovery */
    WebhookRecovery: {
      id: number;
      webhook: number;
      /** @enum {string} */
      state: "counting" | "running" | "paused" | "done" | "cancelled" | "failed";
      criteria: components["schemas"]["WebhookReplayCriteria"];
      rate: number;
      total: number | null;
      made: number;
      skipped: number | null;
      not_made: number | null;
      delivered: number;
      dead: number;
      cancelled: number;
      waiting: number;
      progress: number;
      deliveries_per_second: number;
      estimated_end: string | null;
      created: string;
      started: string | null;
      ended: string | null;
      error: string | null;
      created_by: number | null;
      retries: components["schemas"]["WebhookRecoveryRetries"];
    };
    /** WebhookRecoveryPreview */
    WebhookRecoveryPreview: {
      count: number;
      exact: boolean;
      skipped: number;
      oldest: string | null;
      newest: string | null;
      examples: string[];
      retries: components["schemas"]["WebhookRecoveryRetries"];
    };
    /** WebhookRecoveryRetries */
    WebhookRecoveryRetries: {
      count: number;
      more: boolean;
    };
    /** WebhookReplay */
    WebhookReplay: {
      id: number;
      webhook: number;
      /** @enum {string} */
      state: "counting" | "running" | "paused" | "done" | "cancelled" | "failed";
      criteria: components["schemas"]["WebhookReplayCriteria"];
      rate: number;
      total: number | null;
      made: number;
      skipped: number | null;
      not_made: number | null;
      delivered: number;
      dead: number;
      cancelled: number;
      waiting: number;
      progress: number;
      deliveries_per_second: number;
      estimated_end: string | null;
      created: string;
      started: string | null;
      ended: string | null;
      error: string | null;
      created_by: number | null;
    };
    /** WebhookReplayCriteria */
    WebhookReplayCriteria: {
      since: string | null;
      until: string | null;
      status: ("dead" | "delivered" | "cancelled" | "never_attempted")[];
      object: string | null;
      eventType: string | null;
      result: string | null;
      delivery: number | null;
      deliveries: number[];
      undelivered: boolean;
    };
    /** WebhookReplayList */
    WebhookReplayList: {
      total: number;
      data: components["schemas"]["WebhookReplay"][];
    };
    /** WebhookReplayPreview */
    WebhookReplayPreview: {
      count: number;
      exact: boolean;
      skipped: number;
      oldest: string | null;
      newest: string | null;
      examples: string[];
    };
    /** WebhookSecret */
    WebhookSecret: {
      until: string | null;
    };
    /** WebhookStanding */
    WebhookStanding: {
      /** @enum {string} */
      state: "ok" | "failing" | "throttled" | "open" | "off" | "pull";
      window: number;
      failures_in_row: number;
      last_code: number | null;
      last_error: string | null;
      throttled_until: string | null;
      next_probe: string | null;
      warned: string | null;
      pulled_to: number | null;
      pulled_at: string | null;
      maxInFlight: number | null;
      maxPerSecond: number | null;
      in_flight: components["schemas"]["WebhookCount"];
      due: components["schemas"]["WebhookCount"];
      oldest_due: string | null;
      planned: components["schemas"]["WebhookCount"];
      waiting: components["schemas"]["WebhookCount"];
      paused: components["schemas"]["WebhookCount"];
      to_pull: number | null;
    };
    /** WebhookTest */
    WebhookTest: {
      event_id: string;
      /**
       * @deprecated
       * @description The old name of `event_id`
       */
      webhook_id: string;
      sent: components["schemas"]["WebhookTestRequest"];
      result: components["schemas"]["WebhookTestResult"];
    };
    /** WebhookTestRequest */
    WebhookTestRequest: {
      url: string;
      headers: {
        [key: string]: string;
      };
      body: string;
    };
    /** WebhookTestResult */
    WebhookTestResult: {
      code: number | null;
      ms: number;
      error: string | null;
      error_detail: string | null;
      phases: {
        [key: string]: number;
      };
      headers: {
        [key: string]: string;
      } | null;
      body: string | null;
    };
  };
  responses: {
    /** @description Missing parameter (code 9); Invalid parameter (code 10) */
    Problem400Code9Or10: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "type": "https://sightline.example/problems/missing-parameter",
         *       "title": "Missing parameter",
         *       "status": 400,
         *       "detail": "Missing parameter.",
         *       "instance": "urn:uuid:0f8fad5b-d9cb-469f-a165-70867728950e",
         *       "code": 9,
         *       "message": "Missing parameter.",
         *       "details": "",
         *       "errors": []
         *     }
         */
        "application/problem+json": components["schemas"]["Problem"] & {
          /** @enum {integer} */
          code?: 9 | 10;
        };
      };
    };
    /** @description No token (code 3); Invalid, expired or revoked token (code 4) */
    Problem401Code3Or4: {
      headers: {
        "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "type": "https://sightline.example/problems/no-token",
         *       "title": "No token",
         *       "status": 401,
         *       "detail": "No token.",
         *       "instance": "urn:uuid:0f8fad5b-d9cb-469f-a165-70867728950e",
         *       "code": 3,
         *       "message": "No token.",
         *       "details": "",
         *       "errors": []
         *     }
         */
        "application/problem+json": components["schemas"]["Problem"] & {
          /** @enum {integer} */
          code?: 3 | 4;
        };
      };
    };
    /** @description Invalid, expired or revoked token (code 4) */
    Problem401Code4: {
      headers: {
        "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "type": "https://sightline.example/problems/bad-token",
         *       "title": "Invalid, expired or revoked token",
         *       "status": 401,
         *       "detail": "Invalid, expired or revoked token.",
         *       "instance": "urn:uuid:0f8fad5b-d9cb-469f-a165-70867728950e",
         *       "code": 4,
         *       "message": "Invalid, expired or revoked token.",
         *       "details": "",
         *       "errors": []
         *     }
         */
        "application/problem+json": components["schemas"]["Problem"] & {
          /** @enum {integer} */
          code?: 4;
        };
      };
    };
    /** @description Invalid, expired or revoked token (code 4); Wrong login or password (code 5) */
    Problem401Code4Or5: {
      headers: {
        "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "type": "https://sightline.example/problems/bad-token",
         *       "title": "Invalid, expired or revoked token",
         *       "status": 401,
         *       "detail": "Invalid, expired or revoked token.",
         *       "instance": "urn:uuid:0f8fad5b-d9cb-469f-a165-70867728950e",
         *       "code": 4,
         *       "message": "Invalid, expired or revoked token.",
         *       "details": "",
         *       "errors": []
         *     }
         */
        "application/problem+json": components["schemas"]["Problem"] & {
          /** @enum {integer} */
          code?: 4 | 5;
        };
      };
    };
    /** @description Wrong login or password (code 5) */
    Problem401Code5: {
      headers: {
        "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "type": "https://sightline.example/problems/bad-login",
         *       "title": "Wrong login or password",
         *       "status": 401,
         *       "detail": "Wrong login or password.",
         *       "instance": "urn:uuid:0f8fad5b-d9cb-469f-a165-70867728950e",
         *       "code": 5,
         *       "message": "Wrong login or password.",
         *       "details": "",
         *       "errors": []
         *     }
         */
        "application/problem+json": components["schemas"]["Problem"] & {
          /** @enum {integer} */
          code?: 5;
        };
      };
    };
    /** @description Missing permission (code 6) */
    Problem403Code6: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "type": "https://sightline.example/problems/forbidden",
         *       "title": "Missing permission",
         *       "status": 403,
         *       "detail": "Missing permission.",
         *       "instance": "urn:uuid:0f8fad5b-d9cb-469f-a165-70867728950e",
         *       "code": 6,
         *       "message": "Missing permission.",
         *       "details": "",
         *       "errors": []
         *     }
         */
        "application/problem+json": components["schemas"]["Problem"] & {
          /** @enum {integer} */
          code?: 6;
        };
      };
    };
    /** @description Missing permission (code 6); Quota reached (code 16) */
    Problem403Code6Or16: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "type": "https://sightline.example/problems/forbidden",
         *       "title": "Missing permission",
         *       "status": 403,
         *       "detail": "Missing permission.",
         *       "instance": "urn:uuid:0f8fad5b-d9cb-469f-a165-70867728950e",
         *       "code": 6,
         *       "message": "Missing permission.",
         *       "details": "",
         *       "errors": []
         *     }
         */
        "application/problem+json": components["schemas"]["Problem"] & {
          /** @enum {integer} */
          code?: 6 | 16;
        };
      };
    };
    /** @description Missing permission (code 6); Cross-site request rejected (code 7); Quota reached (code 16); Feature or subscription is disabled (code 18) */
    Problem403Code6Or7Or16Or18: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "type": "https://sightline.example/problems/forbidden",
         *       "title": "Missing permission",
         *       "status": 403,
         *       "detail": "Missing permission.",
         *       "instance": "urn:uuid:0f8fad5b-d9cb-469f-a165-70867728950e",
         *       "code": 6,
         *       "message": "Missing permission.",
         *       "details": "",
         *       "errors": []
         *     }
         */
        "application/problem+json": components["schemas"]["Problem"] & {
          /** @enum {integer} */
          code?: 6 | 7 | 16 | 18;
        };
      };
    };
    /** @description Missing permission (code 6); Cross-site request rejected (code 7); Feature or subscription is disabled (code 18) */
    Problem403Code6Or7Or18: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "type": "https://sightline.example/problems/forbidden",
         *       "title": "Missing permission",
         *       "status": 403,
         *       "detail": "Missing permission.",
         *       "instance": "urn:uuid:0f8fad5b-d9cb-469f-a165-70867728950e",
         *       "code": 6,
         *       "message": "Missing permission.",
         *       "details": "",
         *       "errors": []
         *     }
         */
        "application/problem+json": components["schemas"]["Problem"] & {
          /** @enum {integer} */
          code?: 6 | 7 | 18;
        };
      };
    };
    /** @description Cross-site request rejected (code 7) */
    Problem403Code7: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "type": "https://sightline.example/problems/csrf",
         *       "title": "Cross-site request rejected",
         *       "status": 403,
         *       "detail": "Cross-site request rejected.",
         *       "instance": "urn:uuid:0f8fad5b-d9cb-469f-a165-70867728950e",
         *       "code": 7,
         *       "message": "Cross-site request rejected.",
         *       "details": "",
         *       "errors": []
         *     }
         */
        "application/problem+json": components["schemas"]["Problem"] & {
          /** @enum {integer} */
          code?: 7;
        };
      };
    };
    /** @description Not found (code 8) */
    Problem404Code8: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "type": "https://sightline.example/problems/not-found",
         *       "title": "Not found",
         *       "status": 404,
         *       "detail": "Not found.",
         *       "instance": "urn:uuid:0f8fad5b-d9cb-469f-a165-70867728950e",
         *       "code": 8,
         *       "message": "Not found.",
         *       "details": "",
         *       "errors": []
         *     }
         */
        "application/problem+json": components["schemas"]["Problem"] & {
          /** @enum {integer} */
          code?: 8;
        };
      };
    };
    /** @description Not acceptable (code 19) */
    Problem406Code19: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "type": "https://sightline.example/problems/not-acceptable",
         *       "title": "Not acceptable",
         *       "status": 406,
         *       "detail": "Not acceptable.",
         *       "instance": "urn:uuid:0f8fad5b-d9cb-469f-a165-70867728950e",
         *       "code": 19,
         *       "message": "Not acceptable.",
         *       "details": "",
         *       "errors": []
         *     }
         */
        "application/problem+json": components["schemas"]["Problem"] & {
          /** @enum {integer} */
          code?: 19;
        };
      };
    };
    /** @description Conflict with the current state (code 11) */
    Problem409Code11: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "type": "https://sightline.example/problems/conflict",
         *       "title": "Conflict with the current state",
         *       "status": 409,
         *       "detail": "Conflict with the current state.",
         *       "instance": "urn:uuid:0f8fad5b-d9cb-469f-a165-70867728950e",
         *       "code": 11,
         *       "message": "Conflict with the current state.",
         *       "details": "",
         *       "errors": []
         *     }
         */
        "application/problem+json": components["schemas"]["Problem"] & {
          /** @enum {integer} */
          code?: 11;
        };
      };
    };
    /** @description Link or room has expired (code 17) */
    Problem410Code17: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "type": "https://sightline.example/problems/gone",
         *       "title": "Link or room has expired",
         *       "status": 410,
         *       "detail": "Link or room has expired.",
         *       "instance": "urn:uuid:0f8fad5b-d9cb-469f-a165-70867728950e",
         *       "code": 17,
         *       "message": "Link or room has expired.",
         *       "details": "",
         *       "errors": []
         *     }
         */
        "application/problem+json": components["schemas"]["Problem"] & {
          /** @enum {integer} */
          code?: 17;
        };
      };
    };
    /** @description Too large (code 13) */
    Problem413Code13: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "type": "https://sightline.example/problems/too-large",
         *       "title": "Too large",
         *       "status": 413,
         *       "detail": "Too large.",
         *       "instance": "urn:uuid:0f8fad5b-d9cb-469f-a165-70867728950e",
         *       "code": 13,
         *       "message": "Too large.",
         *       "details": "",
         *       "errors": []
         *     }
         */
        "application/problem+json": components["schemas"]["Problem"] & {
          /** @enum {integer} */
          code?: 13;
        };
      };
    };
    /** @description Unsupported media type (code 14) */
    Problem415Code14: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "type": "https://sightline.example/problems/unsupported-media-type",
         *       "title": "Unsupported media type",
         *       "status": 415,
         *       "detail": "Unsupported media type.",
         *       "instance": "urn:uuid:0f8fad5b-d9cb-469f-a165-70867728950e",
         *       "code": 14,
         *       "message": "Unsupported media type.",
         *       "details": "",
         *       "errors": []
         *     }
         */
        "application/problem+json": components["schemas"]["Problem"] & {
          /** @enum {integer} */
          code?: 14;
        };
      };
    };
    /** @description Rate limit reached (code 12) */
    Problem429Code12: {
      headers: {
        "Retry-After": components["headers"]["Retry-After"];
        "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
        "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
        "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "type": "https://sightline.example/problems/rate-limited",
         *       "title": "Rate limit reached",
         *       "status": 429,
         *       "detail": "Rate limit reached.",
         *       "instance": "urn:uuid:0f8fad5b-d9cb-469f-a165-70867728950e",
         *       "code": 12,
         *       "message": "Rate limit reached.",
         *       "details": "",
         *       "errors": [],
         *       "error": "too_many_requests"
         *     }
         */
        "application/problem+json": components["schemas"]["Problem"] & {
          /** @enum {integer} */
          code?: 12;
        };
      };
    };
    /** @description Request line and headers too large (code 20) */
    Problem431Code20: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "type": "https://sightline.example/problems/headers-too-large",
         *       "title": "Request line and headers too large",
         *       "status": 431,
         *       "detail": "Request line and headers too large.",
         *       "instance": "urn:uuid:0f8fad5b-d9cb-469f-a165-70867728950e",
         *       "code": 20,
         *       "message": "Request line and headers too large.",
         *       "details": "",
         *       "errors": []
         *     }
         */
        "application/problem+json": components["schemas"]["Problem"] & {
          /** @enum {integer} */
          code?: 20;
        };
      };
    };
    /** @description Internal error (code 1) */
    Problem500Code1: {
      headers: {
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "type": "https://sightline.example/problems/internal",
         *       "title": "Internal error",
         *       "status": 500,
         *       "detail": "Internal error.",
         *       "instance": "urn:uuid:0f8fad5b-d9cb-469f-a165-70867728950e",
         *       "code": 1,
         *       "message": "Internal error.",
         *       "details": "",
         *       "errors": []
         *     }
         */
        "application/problem+json": components["schemas"]["Problem"] & {
          /** @enum {integer} */
          code?: 1;
        };
      };
    };
    /** @description Dependency unavailable (code 2) */
    Problem503Code2: {
      headers: {
        "Retry-After": components["headers"]["Retry-After"];
        [name: string]: unknown;
      };
      content: {
        /**
         * @example {
         *       "type": "https://sightline.example/problems/dependency-down",
         *       "title": "Dependency unavailable",
         *       "status": 503,
         *       "detail": "Dependency unavailable.",
         *       "instance": "urn:uuid:0f8fad5b-d9cb-469f-a165-70867728950e",
         *       "code": 2,
         *       "message": "Dependency unavailable.",
         *       "details": "",
         *       "errors": []
         *     }
         */
        "application/problem+json": components["schemas"]["Problem"] & {
          /** @enum {integer} */
          code?: 2;
        };
      };
    };
  };
  parameters: {
    /** @description Makes it safe to repeat a request: within 24 hours, the same key returns the response to the first request. */
    IdempotencyKey: string;
  };
  requestBodies: never;
  headers: {
    /**
     * @description The ID of the request, for support
     * @example 6b1c1f0e-…
     */
    "X-Request-Id": string;
    /**
     * @description Calls allowed in the current period
     * @example 600
     */
    "X-RateLimit-Limit": number;
    /**
     * @description Calls left in the current period
     * @example 599
     */
    "X-RateLimit-Remaining": number;
    /**
     * @description Seconds until the current period ends
     * @example 60
     */
    "X-RateLimit-Reset": number;
    /**
     * @description Seconds to wait before the next request
     * @example 12
     */
    "Retry-After": number;
    /**
     * @description Number of items in the whole list
     * @example 84
     */
    "X-Total-Count": number;
    /**
     * @description The first, previous, next and last page (RFC 8288)
     * @example </api/tickets?limit=10&offset=10>; rel="next"
     */
    Link: string;
    /**
     * @description Path of the created object
     * @example /api/tickets/12
     */
    Location: string;
    /**
     * @description `true`: the stored response to an earlier, identical request
     * @example true
     */
    "Idempotent-Replayed": string;
    /**
     * @description How to sign in
     * @example Bearer realm="api"
     */
    "WWW-Authenticate": string;
  };
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  "api.token.create": {
    parameters: {
      query?: {
        grant_type?: "password" | "refresh_token";
        username?: string;
        password?: string;
        refresh_token?: string;
        scope?: string;
        client_id?: string;
        client_secret?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** @description Each field can be in the query or in the body. If it is in both, the body counts. Required in one of them: `grant_type`. */
    requestBody?: {
      content: {
        "application/json": {
          /** @enum {string} */
          grant_type?: "password" | "refresh_token";
          username?: string;
          password?: string;
          refresh_token?: string;
          scope?: string;
          client_id?: string;
          client_secret?: string;
        };
        "application/x-www-form-urlencoded": {
          /** @enum {string} */
          grant_type?: "password" | "refresh_token";
          username?: string;
          password?: string;
          refresh_token?: string;
          scope?: string;
          client_id?: string;
          client_secret?: string;
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Token"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code4Or5"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      410: components["responses"]["Problem410Code17"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.token.revoke": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done; the response has no body */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.users.me": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Me"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.users.updateMe": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @description One line of text, without control characters */
          firstname?: string;
          /** @description One line of text, without control characters */
          lastname?: string;
          /** @description One line of text, without control characters */
          nickname?: string;
          /** @enum {string|null} */
          language?: "fr" | "en" | "es" | "de" | "it" | "nl" | "pt" | null;
          /**
           * @description A phone number with its country code, such as +33612345678
           * @example +33612345678
           */
          phone?: string;
          /** @description A URL that starts with https:// or http:// */
          photo_url?: string | null;
          /** @description A password of at least 12 characters, or 8 with an upper-case letter, a lower-case letter and a digit */
          password?: string | unknown | unknown;
          current_password?: string;
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["User"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.browserSession.get": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["BrowserSession"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.browserSession.open": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          login: string;
          password: string;
          embedded?: boolean;
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["BrowserSession"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code5"];
      403: components["responses"]["Problem403Code7"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      410: components["responses"]["Problem410Code17"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.browserSession.close": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done; the response has no body */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Problem400Code9Or10"];
      403: components["responses"]["Problem403Code7"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      410: components["responses"]["Problem410Code17"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.users.me.sessions.list": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SignedInDeviceList"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.users.me.sessions.end": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        sessionId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done; the response has no body */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.users.me.apiTokens.list": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ApiTokenList"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.users.me.apiTokens.create": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description One line of text that is not blank */
          name: string;
          expires_in_days?: number;
        };
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          Location: components["headers"]["Location"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["NewApiToken"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or16Or18"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.users.me.apiTokens.end": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        tokenId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done; the response has no body */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.enterprises.apiTokens.list": {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
      };
      header?: never;
      path: {
        enterpriseId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "X-Total-Count": components["headers"]["X-Total-Count"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ApiTokenList"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.enterprises.apiTokens.end": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        enterpriseId: number;
        tokenId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done; the response has no body */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.password.request": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          login: string;
        };
      };
    };
    responses: {
      /** @description Done; the response has no body */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Problem400Code9Or10"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      410: components["responses"]["Problem410Code17"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.password.set": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          token: string;
          /** @description A password of at least 12 characters, or 8 with an upper-case letter, a lower-case letter and a digit */
          password: string | unknown | unknown;
        };
      };
    };
    responses: {
      /** @description Done; the response has no body */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Problem400Code9Or10"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      410: components["responses"]["Problem410Code17"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.token.check": {
    parameters: {
      query?: {
        apiKey?: string;
        userId?: number;
        token?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    /** @description Each field can be in the query or in the body. If it is in both, the body counts. Required in one of them: `apiKey`, `userId`, `token`. */
    requestBody?: {
      content: {
        "application/json": {
          apiKey?: string;
          userId?: number;
          token?: string;
        };
        "application/x-www-form-urlencoded": {
          apiKey?: string;
          userId?: number;
          token?: string;
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TokenCheck"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code4"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      410: components["responses"]["Problem410Code17"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.users.list": {
    parameters: {
      query?: {
        search?: string;
        group?: string;
        role?: "viewer" | "agent" | "manager" | "admin" | "integration" | "superadmin";
        isActive?: boolean;
        limit?: number;
        offset?: number;
        orderby?: "date" | "modified" | "id";
        order?: "asc" | "desc";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "X-Total-Count": components["headers"]["X-Total-Count"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["UserList"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.users.create": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description 1 to 255 characters without spaces */
          login: string;
          /** @description An email address, such as ann@example.com */
          email?: string;
          /** @description One line of text, without control characters */
          firstname?: string;
          /** @description One line of text, without control characters */
          lastname?: string;
          /** @description One line of text, without control characters */
          nickname?: string;
          /** @enum {string|null} */
          language?: "fr" | "en" | "es" | "de" | "it" | "nl" | "pt" | null;
          /**
           * @description A phone number with its country code, such as +33612345678
           * @example +33612345678
           */
          phone?: string;
          /** @description A URL that starts with https:// or http:// */
          photo_url?: string | null;
          /** @description A password of at least 12 characters, or 8 with an upper-case letter, a lower-case letter and a digit */
          password?: string | unknown | unknown;
          /** @enum {string} */
          role?: "viewer" | "agent" | "manager" | "admin" | "integration" | "superadmin";
          isAgent?: boolean;
          isActive?: boolean;
          /** @enum {string} */
          accountType?: "platform" | "solution";
          /** @description One line of text that is not blank */
          external_id?: string | null;
          groups?: number[];
        };
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          Location: components["headers"]["Location"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["User"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or16Or18"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.users.get": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        userId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["User"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.users.delete": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        userId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done; the response has no body */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.users.update": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        userId: number;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @description 1 to 255 characters without spaces */
          login?: string;
          /** @description An email address, such as ann@example.com */
          email?: string;
          /** @description One line of text, without control characters */
          firstname?: string;
          /** @description One line of text, without control characters */
          lastname?: string;
          /** @description One line of text, without control characters */
          nickname?: string;
          /** @enum {string|null} */
          language?: "fr" | "en" | "es" | "de" | "it" | "nl" | "pt" | null;
          /**
           * @description A phone number with its country code, such as +33612345678
           * @example +33612345678
           */
          phone?: string;
          /** @description A URL that starts with https:// or http:// */
          photo_url?: string | null;
          /** @description A password of at least 12 characters, or 8 with an upper-case letter, a lower-case letter and a digit */
          password?: string | unknown | unknown;
          /** @enum {string} */
          role?: "viewer" | "agent" | "manager" | "admin" | "integration" | "superadmin";
          isAgent?: boolean;
          isActive?: boolean;
          /** @enum {string} */
          accountType?: "platform" | "solution";
          /** @description One line of text that is not blank */
          external_id?: string | null;
          groups?: number[];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["User"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or16Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.users.resetPassword": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        userId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Accepted for processing */
      202: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.users.signOut": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        userId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done; the response has no body */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.enterprises.list": {
    parameters: {
      query?: {
        search?: string;
        limit?: number;
        offset?: number;
        orderby?: "date" | "modified" | "id";
        order?: "asc" | "desc";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "X-Total-Count": components["headers"]["X-Total-Count"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["EnterpriseList"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.enterprises.create": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description One line of text that is not blank */
          name: string;
          /**
           * @description A time zone of the IANA database, such as Europe/Paris, not an abbreviation
           * @example Europe/Paris
           */
          time_zone?: string;
          /** @enum {string} */
          language?: "fr" | "en" | "es" | "de" | "it" | "nl" | "pt";
          /**
           * @description A phone number with its country code, such as +33612345678
           * @example +33612345678
           */
          sip_phone_number?: string;
          /** @description At most 11 letters, digits and spaces */
          sms_sender?: string;
          /**
           * @description `outbox` is deprecated: use `dev`
           * @enum {string|null}
           */
          mail_provider?: "smtp" | "dev" | "outbox" | null;
          /**
           * @description `outbox` is deprecated: use `dev`
           * @enum {string|null}
           */
          sms_provider?: "http" | "twilio" | "dev" | "outbox" | null;
          solution_enabled?: boolean;
          managed_by?: number | null;
          quotas?: {
            max_users?: number | null;
            max_media_bytes?: number | null;
            max_sms_per_day?: number;
          };
          retention?: {
            payload_days?: number | null;
            log_days?: number | null;
          };
          admin: {
            /** @description 1 to 255 characters without spaces */
            login: string;
            /** @description An email address, such as ann@example.com */
            email?: string;
            /** @description One line of text, without control characters */
            firstname?: string;
            /** @description One line of text, without control characters */
            lastname?: string;
            /** @description A password of at least 12 characters, or 8 with an upper-case letter, a lower-case letter and a digit */
            password?: string | unknown | unknown;
          };
        };
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          Location: components["headers"]["Location"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Enterprise"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.enterprises.get": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        enterpriseId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Enterprise"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.enterprises.update": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        enterpriseId: number;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @description One line of text that is not blank */
          name?: string;
          /**
           * @description A time zone of the IANA database, such as Europe/Paris, not an abbreviation
           * @example Europe/Paris
           */
          time_zone?: string;
          /** @enum {string} */
          language?: "fr" | "en" | "es" | "de" | "it" | "nl" | "pt";
          /**
           * @description A phone number with its country code, such as +33612345678
           * @example +33612345678
           */
          sip_phone_number?: string;
          /** @description At most 11 letters, digits and spaces */
          sms_sender?: string;
          /**
           * @description `outbox` is deprecated: use `dev`
           * @enum {string|null}
           */
          mail_provider?: "smtp" | "dev" | "outbox" | null;
          /**
           * @description `outbox` is deprecated: use `dev`
           * @enum {string|null}
           */
          sms_provider?: "http" | "twilio" | "dev" | "outbox" | null;
          solution_enabled?: boolean;
          managed_by?: number | null;
          quotas?: {
            max_users?: number | null;
            max_media_bytes?: number | null;
            max_sms_per_day?: number;
          };
          retention?: {
            payload_days?: number | null;
            log_days?: number | null;
          };
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Enterprise"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.enterprises.statistics": {
    parameters: {
      query?: {
        /** @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00) */
        since?: string;
        /** @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00) */
        until?: string;
      };
      header?: never;
      path: {
        enterpriseId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["EnterpriseStatistics"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.enterprises.quota": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        enterpriseId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["EnterpriseQuota"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.enterprises.users": {
    parameters: {
      query?: {
        search?: string;
        group?: string;
        role?: "viewer" | "agent" | "manager" | "admin" | "integration" | "superadmin";
        isActive?: boolean;
        limit?: number;
        offset?: number;
        orderby?: "date" | "modified" | "id";
        order?: "asc" | "desc";
      };
      header?: never;
      path: {
        enterpriseId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "X-Total-Count": components["headers"]["X-Total-Count"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["UserList"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.enterprises.services": {
    parameters: {
      query?: {
        service_key?: string;
        kind?: "ticket" | "conference";
        search?: string;
        limit?: number;
        offset?: number;
        orderby?: "date" | "modified" | "id";
        order?: "asc" | "desc";
      };
      header?: never;
      path: {
        enterpriseId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "X-Total-Count": components["headers"]["X-Total-Count"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ServiceList"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.enterprises.groups.list": {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
      };
      header?: never;
      path: {
        enterpriseId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "X-Total-Count": components["headers"]["X-Total-Count"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["UserGroupList"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.enterprises.groups.create": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        enterpriseId: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description One line of text that is not blank */
          name: string;
          members?: number[];
        };
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          Location: components["headers"]["Location"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["UserGroup"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.enterprises.groups.delete": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        enterpriseId: number;
        groupId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done; the response has no body */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.enterprises.groups.update": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        enterpriseId: number;
        groupId: number;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @description One line of text that is not blank */
          name?: string;
          members?: number[];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["UserGroup"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.enterprises.domains.list": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        enterpriseId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["DomainList"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.enterprises.domains.create": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        enterpriseId: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * Format: hostname
           * @description One line of text that is not blank
           * @example desk.example.com
           */
          domain: string;
          /**
           * @description One line of text, without control characters
           * @example desk.example.com
           */
          alias?: string;
        };
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          Location: components["headers"]["Location"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Domain"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or16Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.enterprises.domains.delete": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        enterpriseId: number;
        domainId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done; the response has no body */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.services.list": {
    parameters: {
      query?: {
        service_key?: string;
        kind?: "ticket" | "conference";
        search?: string;
        limit?: number;
        offset?: number;
        orderby?: "date" | "modified" | "id";
        order?: "asc" | "desc";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "X-Total-Count": components["headers"]["X-Total-Count"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ServiceList"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.services.create": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description One line of text that is not blank */
          name: string;
          description?: string | null;
          ticket_types?: string[];
          is_active?: boolean;
          asks_position?: boolean;
          not_clicked_minutes?: number;
          reminder_minutes?: number | null;
          /** @enum {string|null} */
          language?: "fr" | "en" | "es" | "de" | "it" | "nl" | "pt" | null;
          media_retention_days?: number;
          /** @enum {string} */
          room_backend?: "auto" | "mesh" | "livekit";
          groups?: number[];
          /** @enum {string} */
          kind: "ticket" | "conference";
        };
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          Location: components["headers"]["Location"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Service"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.users.me.services.list": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["OwnServiceList"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.services.get": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        serviceId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Service"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.services.delete": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        serviceId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done; the response has no body */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.services.update": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        serviceId: number;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @description One line of text that is not blank */
          name?: string;
          description?: string | null;
          ticket_types?: string[];
          is_active?: boolean;
          asks_position?: boolean;
          not_clicked_minutes?: number;
          reminder_minutes?: number | null;
          /** @enum {string|null} */
          language?: "fr" | "en" | "es" | "de" | "it" | "nl" | "pt" | null;
          media_retention_days?: number;
          /** @enum {string} */
          room_backend?: "auto" | "mesh" | "livekit";
          groups?: number[];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Service"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.services.rotateKey": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        serviceId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Service"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.services.survey.get": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        serviceId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Survey"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.services.survey.put": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        serviceId: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": components["schemas"]["Survey"];
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Survey"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.services.buttons.list": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        serviceId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ButtonList"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.services.buttons.create": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        serviceId: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description One line of text that is not blank */
          name: string;
          is_active?: boolean;
        };
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          Location: components["headers"]["Location"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Button"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.services.buttons.delete": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        serviceId: number;
        buttonId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done; the response has no body */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.services.buttons.update": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        serviceId: number;
        buttonId: number;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @description One line of text that is not blank */
          name?: string;
          is_active?: boolean;
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Button"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.enterprises.audit": {
    parameters: {
      query?: {
        object?:
          | "user"
          | "enterprise"
          | "service"
          | "group"
          | "domain"
          | "button"
          | "template"
          | "survey"
          | "webhook"
          | "alert"
          | "api_token"
          | "ticket"
          | "conference";
        userId?: number;
        /** @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00) */
        since?: string;
        /** @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00) */
        until?: string;
        order?: "asc" | "desc";
        limit?: number;
        offset?: number;
      };
      header?: never;
      path: {
        enterpriseId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "X-Total-Count": components["headers"]["X-Total-Count"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AuditEntryList"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.tickets.list": {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
        orderby?: "date" | "modified" | "start_time" | "id";
        order?: "asc" | "desc";
        reference?: string;
        search?: string;
        /** @description Comma-separated list of: new, open, opened, invited, inprogress, updated, done, rejected, declined, expired, closed */
        state?: string;
        agent?: string;
        service_key?: string;
        /** @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00) */
        since?: string;
        /** @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00) */
        until?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "X-Total-Count": components["headers"]["X-Total-Count"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TicketList"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.tickets.create": {
    parameters: {
      query?: {
        /** @description One line of text, without control characters */
        agent?: string;
        /** @description An email address, such as ann@example.com */
        email?: string | null;
        /** @description A phone number with its country code, such as +33612345678 */
        phone?: string | null;
        invite?: boolean | (0 | 1) | ("0" | "1" | "true" | "false");
        /** @description One line of text, without control characters */
        reference?: string;
        /** @description Comma-separated list of: sso */
        scope?: string;
        /** @description A key of 32 lower-case letters and digits */
        service_key?: string;
        /** @description One line of text, without control characters */
        name?: string | null;
        /** @description One line of text, without control characters */
        firstname?: string | null;
        /** @description One line of text, without control characters */
        lastname?: string | null;
        /** @description One line of text, without control characters */
        company?: string | null;
        language?: "fr" | "en" | "es" | "de" | "it" | "nl" | "pt";
        /** @description One line of text, without control characters */
        subject?: string | null;
        /** @description One line of text, without control characters */
        type?: string;
        description?: string | null;
        priority?: number;
        /** @description Name or id of the group */
        group?: string | number;
        /** @description A time in ISO 8601 with its offset, such as 2026-12-01T10:00:00+01:00 */
        startTime?: string;
        duration?: number;
        templateId?: number;
        /** @description Comma-separated list of: email, sms */
        channels?: string;
      };
      header?: {
        /** @description Makes it safe to repeat a request: within 24 hours, the same key returns the response to the first request. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    /** @description Each field can be in the query or in the body. If it is in both, the body counts. Required in one of them: `agent`, `email` or `phone`. */
    requestBody?: {
      content: {
        "application/json": {
          /** @description One line of text, without control characters */
          agent?: string;
          /** @description An email address, such as ann@example.com */
          email?: string | null;
          /**
           * @description A phone number with its country code, such as +33612345678
           * @example +33612345678
           */
          phone?: string | null;
          invite?: boolean | (0 | 1) | ("0" | "1" | "true" | "false");
          /** @description One line of text, without control characters */
          reference?: string;
          /** @description Comma-separated list of: sso */
          scope?: string;
          /** @description A key of 32 lower-case letters and digits */
          service_key?: string;
          /** @description One line of text, without control characters */
          name?: string | null;
          /** @description One line of text, without control characters */
          firstname?: string | null;
          /** @description One line of text, without control characters */
          lastname?: string | null;
          /** @description One line of text, without control characters */
          company?: string | null;
          /** @enum {string} */
          language?: "fr" | "en" | "es" | "de" | "it" | "nl" | "pt";
          /** @description One line of text, without control characters */
          subject?: string | null;
          /** @description One line of text, without control characters */
          type?: string;
          description?: string | null;
          priority?: number;
          /** @description Name or id of the group */
          group?: string | number;
          /**
           * @description A time in ISO 8601 with its offset, such as 2026-12-01T10:00:00+01:00
           * @example 2026-12-01T10:00:00+01:00
           */
          startTime?: string;
          duration?: number;
          templateId?: number;
          /** @description Comma-separated list of: email, sms */
          channels?: string;
        };
        "application/x-www-form-urlencoded": {
          /** @description One line of text, without control characters */
          agent?: string;
          /** @description An email address, such as ann@example.com */
          email?: string | null;
          /**
           * @description A phone number with its country code, such as +33612345678
           * @example +33612345678
           */
          phone?: string | null;
          invite?: boolean | (0 | 1) | ("0" | "1" | "true" | "false");
          /** @description One line of text, without control characters */
          reference?: string;
          /** @description Comma-separated list of: sso */
          scope?: string;
          /** @description A key of 32 lower-case letters and digits */
          service_key?: string;
          /** @description One line of text, without control characters */
          name?: string | null;
          /** @description One line of text, without control characters */
          firstname?: string | null;
          /** @description One line of text, without control characters */
          lastname?: string | null;
          /** @description One line of text, without control characters */
          company?: string | null;
          /** @enum {string} */
          language?: "fr" | "en" | "es" | "de" | "it" | "nl" | "pt";
          /** @description One line of text, without control characters */
          subject?: string | null;
          /** @description One line of text, without control characters */
          type?: string;
          description?: string | null;
          priority?: number;
          /** @description Name or id of the group */
          group?: string | number;
          /**
           * @description A time in ISO 8601 with its offset, such as 2026-12-01T10:00:00+01:00
           * @example 2026-12-01T10:00:00+01:00
           */
          startTime?: string;
          duration?: number;
          templateId?: number;
          /** @description Comma-separated list of: email, sms */
          channels?: string;
        };
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          Location: components["headers"]["Location"];
          "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CreatedTicket"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or16Or18"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.tickets.get": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        ticketId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ticket"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.tickets.delete": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        ticketId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done; the response has no body */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.tickets.update": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        ticketId: number;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @description An email address, such as ann@example.com */
          email?: string | null;
          /**
           * @description A phone number with its country code, such as +33612345678
           * @example +33612345678
           */
          phone?: string | null;
          /** @description One line of text, without control characters */
          reference?: string;
          /** @description One line of text, without control characters */
          name?: string | null;
          /** @description One line of text, without control characters */
          firstname?: string | null;
          /** @description One line of text, without control characters */
          lastname?: string | null;
          /** @description One line of text, without control characters */
          company?: string | null;
          /** @enum {string|null} */
          language?: "fr" | "en" | "es" | "de" | "it" | "nl" | "pt" | null;
          /** @description One line of text, without control characters */
          subject?: string | null;
          /** @description One line of text, without control characters */
          type?: string;
          description?: string | null;
          priority?: number;
          /**
           * Format: date-time
           * @description A time in ISO 8601 with its offset, such as 2026-12-01T10:00:00+01:00
           * @example 2026-12-01T10:00:00+01:00
           */
          startTime?: string;
          duration?: number;
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ticket"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.tickets.take": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        ticketId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ticket"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.tickets.transfer": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        ticketId: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description One line of text, without control characters */
          agent: string;
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ticket"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.tickets.approve": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        ticketId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ticket"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.tickets.reject": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        ticketId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ticket"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.tickets.complete": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        ticketId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ticket"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.tickets.cancel": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        ticketId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ticket"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.tickets.close": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        ticketId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ticket"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.tickets.invite": {
    parameters: {
      query?: {
        /** @description Comma-separated list of: email, sms */
        channels?: string;
        templateId?: number;
        language?: "fr" | "en" | "es" | "de" | "it" | "nl" | "pt";
      };
      header?: never;
      path: {
        ticketId: number;
      };
      cookie?: never;
    };
    /** @description Each field can be in the query or in the body. If it is in both, the body counts. */
    requestBody?: {
      content: {
        "application/json": {
          /** @description Comma-separated list of: email, sms */
          channels?: string;
          templateId?: number;
          /** @enum {string} */
          language?: "fr" | "en" | "es" | "de" | "it" | "nl" | "pt";
        };
        "application/x-www-form-urlencoded": {
          /** @description Comma-separated list of: email, sms */
          channels?: string;
          templateId?: number;
          /** @enum {string} */
          language?: "fr" | "en" | "es" | "de" | "it" | "nl" | "pt";
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Ticket"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or16Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.tickets.colleagues": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        ticketId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TicketColleagueList"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.buttons.request": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        buttonId: number;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @description An email address, such as ann@example.com */
          email?: string | null;
          /**
           * @description A phone number with its country code, such as +33612345678
           * @example +33612345678
           */
          phone?: string | null;
          /** @description One line of text, without control characters */
          name?: string | null;
          /** @description One line of text, without control characters */
          firstname?: string | null;
          /** @description One line of text, without control characters */
          lastname?: string | null;
          /** @description One line of text, without control characters */
          company?: string | null;
          /** @enum {string} */
          language?: "fr" | "en" | "es" | "de" | "it" | "nl" | "pt";
          /** @description One line of text, without control characters */
          subject?: string | null;
          description?: string | null;
        };
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          Location: components["headers"]["Location"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TicketRequest"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      410: components["responses"]["Problem410Code17"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.tickets.events": {
    parameters: {
      query?: {
        /** @description Comma-separated list of: ticket.new, ticket.approved, ticket.assigned, ticket.completed, ticket.cancelled, ticket.closed, ticket.priorityChanged, ticket.sessionStarted, ticket.invitationSent, ticket.invitationResent, ticket.invitationAccepted, ticket.invitationDeclined, ticket.invitationClicked, ticket.invitationNotclicked, ticket.invitationExpired, consent.accepted, geo.ansAllowed, geo.ansDisallowed, mediaDevice.allowed, mediaDevice.disallowed, mediaDevice.cameraAllowed, mediaDevice.cameraDisallowed, mediaDevice.micAllowed, mediaDevice.micDisallowed, session.established, session.agentContacted, session.agentLeft, session.userLeft, media.pictureTaken, media.OCRDone, media.pictureSent, survey.answered */
        eventType?: string;
        /** @description Comma-separated list of: agent, guest, system */
        source?: string;
        /** @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00) */
        since?: string;
        /** @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00) */
        until?: string;
        order?: "asc" | "desc";
        limit?: number;
        offset?: number;
      };
      header?: never;
      path: {
        ticketId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "X-Total-Count": components["headers"]["X-Total-Count"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TicketEventList"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.tickets.messages": {
    parameters: {
      query?: {
        order?: "asc" | "desc";
        limit?: number;
        offset?: number;
      };
      header?: never;
      path: {
        ticketId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "X-Total-Count": components["headers"]["X-Total-Count"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TicketMessageList"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.enterprises.ticketsStats": {
    parameters: {
      query?: {
        format?: "JSON" | "CSV";
        /** @description First day (YYYY-MM-DD); default: today */
        since?: string;
        /** @description Last day, inclusive; default: today */
        until?: string;
        /** @description States as codes instead of words */
        labels?: "code";
        /** @description Include deleted tickets; administrators only */
        withTrashed?: "0" | "1";
      };
      header?: never;
      path: {
        enterpriseId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TicketStatistics"][];
          "text/csv": string;
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.enterprises.ticketsStatsRows": {
    parameters: {
      query?: {
        /** @description First day (YYYY-MM-DD); default: today */
        since?: string;
        /** @description Last day, inclusive; default: today */
        until?: string;
        /** @description States as codes instead of words */
        labels?: "code";
        /** @description `next` of the previous page */
        after?: number;
        /** @description Default 25 */
        limit?: number;
      };
      header?: never;
      path: {
        enterpriseId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TicketStatisticsPage"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.enterprises.ticketsStatsSummary": {
    parameters: {
      query?: {
        /** @description First day (YYYY-MM-DD); default: today */
        since?: string;
        /** @description Last day, inclusive; default: today */
        until?: string;
      };
      header?: never;
      path: {
        enterpriseId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TicketSummary"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.enterprises.sessionsStats": {
    parameters: {
      query?: {
        format?: "JSON" | "CSV";
        /** @description First day (YYYY-MM-DD); default: today */
        since?: string;
        /** @description Last day, inclusive; default: today */
        until?: string;
        /** @description Default `conference` */
        type?: "conference" | "ticket";
        service_key?: string;
      };
      header?: never;
      path: {
        enterpriseId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SessionExport"][];
          "text/csv": string;
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.enterprises.sessionsStatsSummary": {
    parameters: {
      query?: {
        /** @description First day (YYYY-MM-DD); default: today */
        since?: string;
        /** @description Last day, inclusive; default: today */
        until?: string;
        /** @description Default `conference` */
        type?: "conference" | "ticket";
        service_key?: string;
      };
      header?: never;
      path: {
        enterpriseId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SessionSummary"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.tickets.roomToken": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        ticketId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RoomToken"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.tickets.askPosition": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        ticketId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PositionRequest"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.tickets.position": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        ticketId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CustomerPosition"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.guest.link": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        secret: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GuestLink"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      410: components["responses"]["Problem410Code17"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.guest.information": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        code: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GuestLink"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      410: components["responses"]["Problem410Code17"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.guest.token": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        secret: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RoomToken"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      410: components["responses"]["Problem410Code17"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.guest.ice": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["IceServers"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      410: components["responses"]["Problem410Code17"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.guest.visit": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GuestVisit"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      410: components["responses"]["Problem410Code17"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.guest.click": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          invitation?: number;
        };
      };
    };
    responses: {
      /** @description Done; the response has no body */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      410: components["responses"]["Problem410Code17"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.guest.decline": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done; the response has no body */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      410: components["responses"]["Problem410Code17"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.guest.consent": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @constant */
          terms: true;
          /** @constant */
          privacy: true;
          textVersion: string;
          language: string;
          hasRecordingNotice?: boolean;
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GuestConsent"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      410: components["responses"]["Problem410Code17"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.guest.position": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        requestId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          geoloc: {
            lat: number;
            lng: number;
            accuracy?: number;
          } | null;
        };
      };
    };
    responses: {
      /** @description Done; the response has no body */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      410: components["responses"]["Problem410Code17"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.guest.devices": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          camera: boolean;
          microphone: boolean;
        };
      };
    };
    responses: {
      /** @description Done; the response has no body */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      410: components["responses"]["Problem410Code17"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.guest.accept": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done; the response has no body */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      410: components["responses"]["Problem410Code17"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.guest.survey": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["GuestSurvey"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      410: components["responses"]["Problem410Code17"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.guest.answerSurvey": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          questions: {
            id: number;
            /** @enum {string} */
            answer: "Not satisfied" | "Satisfied" | "Very satisfied";
          }[];
          feedback?: string;
        };
      };
    };
    responses: {
      /** @description Done; the response has no body */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      410: components["responses"]["Problem410Code17"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.tickets.experts.list": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        ticketId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ExpertList"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.tickets.experts.invite": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        ticketId: number;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @description A colleague from the directory */
          user_id?: number;
          /** @description An email address, such as ann@example.com */
          email?: string;
          /**
           * @description A phone number with its country code, such as +33612345678
           * @example +33612345678
           */
          phone?: string;
          /** @description One line of text that is not blank */
          name?: string;
          /** @enum {string} */
          language?: "fr" | "en" | "es" | "de" | "it" | "nl" | "pt";
        };
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          Location: components["headers"]["Location"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["InvitedExpert"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or16Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.guest.experts.token": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        secret: string;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @description One line of text that is not blank */
          name?: string;
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RoomToken"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      410: components["responses"]["Problem410Code17"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.conferences.list": {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
        orderby?: "date" | "modified" | "start_time" | "id";
        order?: "asc" | "desc";
        /** @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00) */
        since?: string;
        search?: string;
        /** @description Comma-separated list of: scheduled, ongoing, ended, cancelled */
        status?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "X-Total-Count": components["headers"]["X-Total-Count"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ConferenceList"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.conferences.create": {
    parameters: {
      query?: {
        /** @description A text of 1 to 50 email addresses or phone numbers with country code, separated by commas, such as ann@example.com,+33612345678 */
        participants?: string;
        invite?: boolean | (0 | 1) | ("0" | "1" | "true" | "false");
        moderation?: boolean | (0 | 1) | ("0" | "1" | "true" | "false");
        /** @description One line of text that is not blank */
        moderator?: string;
        /** @description One line of text that is not blank */
        organizer?: string;
        /** @description One line of text that is not blank */
        name?: string;
        /** @description A time in ISO 8601 with its offset, such as 2026-12-01T10:00:00+01:00 */
        startTime?: string;
        duration?: number;
        language?: "fr" | "en" | "es" | "de" | "it" | "nl" | "pt";
        message?: string | null;
        /** @description 4 to 16 characters of a telephone keypad: digits, * and # */
        password?: string;
        /** @description A key of 32 lower-case letters and digits */
        service_key?: string;
        /** @description Comma-separated list of: sso */
        scope?: string;
        open?: boolean | (0 | 1) | ("0" | "1" | "true" | "false");
        reminder?: number;
      };
      header?: {
        /** @description Makes it safe to repeat a request: within 24 hours, the same key returns the response to the first request. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    /** @description Each field can be in the query or in the body. If it is in both, the body counts. Required in one of them: `participants`. */
    requestBody?: {
      content: {
        "application/json": {
          /**
           * @description A text of 1 to 50 email addresses or phone numbers with country code, separated by commas, such as ann@example.com,+33612345678
           * @example ann@example.com,+33612345678
           */
          participants?: string;
          invite?: boolean | (0 | 1) | ("0" | "1" | "true" | "false");
          moderation?: boolean | (0 | 1) | ("0" | "1" | "true" | "false");
          /** @description One line of text that is not blank */
          moderator?: string;
          /** @description One line of text that is not blank */
          organizer?: string;
          /** @description One line of text that is not blank */
          name?: string;
          /**
           * @description A time in ISO 8601 with its offset, such as 2026-12-01T10:00:00+01:00
           * @example 2026-12-01T10:00:00+01:00
           */
          startTime?: string;
          duration?: number;
          /** @enum {string} */
          language?: "fr" | "en" | "es" | "de" | "it" | "nl" | "pt";
          message?: string | null;
          /** @description 4 to 16 characters of a telephone keypad: digits, * and # */
          password?: string;
          /** @description A key of 32 lower-case letters and digits */
          service_key?: string;
          /** @description Comma-separated list of: sso */
          scope?: string;
          open?: boolean | (0 | 1) | ("0" | "1" | "true" | "false");
          reminder?: number;
        };
        "application/x-www-form-urlencoded": {
          /**
           * @description A text of 1 to 50 email addresses or phone numbers with country code, separated by commas, such as ann@example.com,+33612345678
           * @example ann@example.com,+33612345678
           */
          participants?: string;
          invite?: boolean | (0 | 1) | ("0" | "1" | "true" | "false");
          moderation?: boolean | (0 | 1) | ("0" | "1" | "true" | "false");
          /** @description One line of text that is not blank */
          moderator?: string;
          /** @description One line of text that is not blank */
          organizer?: string;
          /** @description One line of text that is not blank */
          name?: string;
          /**
           * @description A time in ISO 8601 with its offset, such as 2026-12-01T10:00:00+01:00
           * @example 2026-12-01T10:00:00+01:00
           */
          startTime?: string;
          duration?: number;
          /** @enum {string} */
          language?: "fr" | "en" | "es" | "de" | "it" | "nl" | "pt";
          message?: string | null;
          /** @description 4 to 16 characters of a telephone keypad: digits, * and # */
          password?: string;
          /** @description A key of 32 lower-case letters and digits */
          service_key?: string;
          /** @description Comma-separated list of: sso */
          scope?: string;
          open?: boolean | (0 | 1) | ("0" | "1" | "true" | "false");
          reminder?: number;
        };
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          Location: components["headers"]["Location"];
          "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CreatedConference"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or16Or18"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.conferences.get": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        conferenceId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Conference"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.conferences.delete": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        conferenceId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done; the response has no body */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.conferences.update": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        conferenceId: number;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          /**
           * @description A text of 1 to 50 email addresses or phone numbers with country code, separated by commas, such as ann@example.com,+33612345678
           * @example ann@example.com,+33612345678
           */
          participants?: string;
          invite?: boolean | (0 | 1) | ("0" | "1" | "true" | "false");
          moderation?: boolean | (0 | 1) | ("0" | "1" | "true" | "false");
          /** @description One line of text that is not blank */
          moderator?: string;
          /** @description One line of text that is not blank */
          organizer?: string;
          /** @description One line of text that is not blank */
          name?: string;
          /**
           * Format: date-time
           * @description A time in ISO 8601 with its offset, such as 2026-12-01T10:00:00+01:00
           * @example 2026-12-01T10:00:00+01:00
           */
          startTime?: string;
          duration?: number;
          /** @enum {string|null} */
          language?: "fr" | "en" | "es" | "de" | "it" | "nl" | "pt" | null;
          message?: string | null;
          /** @description 4 to 16 characters of a telephone keypad: digits, * and # */
          password?: string | null;
          open?: boolean | (0 | 1) | ("0" | "1" | "true" | "false");
          locked?: boolean | (0 | 1) | ("0" | "1" | "true" | "false");
          reminder?: number;
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Conference"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or16Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.conferences.end": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        conferenceId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Conference"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.conferences.invite": {
    parameters: {
      query?: {
        /** @description A text of 1 to 50 email addresses or phone numbers with country code, separated by commas, such as ann@example.com,+33612345678 */
        participants?: string;
      };
      header?: never;
      path: {
        conferenceId: number;
      };
      cookie?: never;
    };
    /** @description Each field can be in the query or in the body. If it is in both, the body counts. */
    requestBody?: {
      content: {
        "application/json": {
          /**
           * @description A text of 1 to 50 email addresses or phone numbers with country code, separated by commas, such as ann@example.com,+33612345678
           * @example ann@example.com,+33612345678
           */
          participants?: string;
        };
        "application/x-www-form-urlencoded": {
          /**
           * @description A text of 1 to 50 email addresses or phone numbers with country code, separated by commas, such as ann@example.com,+33612345678
           * @example ann@example.com,+33612345678
           */
          participants?: string;
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ConferenceInvitationList"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or16Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.conferences.participants": {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
      };
      header?: never;
      path: {
        conferenceId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "X-Total-Count": components["headers"]["X-Total-Count"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ConferenceParticipantList"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.conferences.checkAccess": {
    parameters: {
      query?: {
        password?: string;
      };
      header?: never;
      path: {
        conferenceId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ConferenceAccess"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.conferences.roomToken": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        conferenceId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ConferenceRoomToken"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      410: components["responses"]["Problem410Code17"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.guest.conferences.token": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          service_key: string;
          room_name: string;
          password?: string;
          name?: string;
          access_token?: string;
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ConferenceRoomToken"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      403: components["responses"]["Problem403Code6"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      410: components["responses"]["Problem410Code17"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.sip.mapper": {
    parameters: {
      query: {
        code: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SipMapping"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.hl7.send": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/hl7-v2": string;
        "application/hl7-v2+er7": string;
        "x-application/hl7-v2+er7": string;
        "text/plain": string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Hl7Answer"];
          "application/hl7-v2": string;
          "application/hl7-v2+er7": string;
          "x-application/hl7-v2+er7": string;
          "text/plain": string;
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.hl7.messages.list": {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "X-Total-Count": components["headers"]["X-Total-Count"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Hl7MessageList"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.hl7.messages.get": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        messageId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Hl7Message"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.conversations.list": {
    parameters: {
      query?: {
        ticketId?: number;
        conferenceId?: number;
        /** @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00) */
        since?: string;
        orderby?: "date" | "id";
        order?: "asc" | "desc";
        limit?: number;
        offset?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "X-Total-Count": components["headers"]["X-Total-Count"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ConversationList"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.conversations.get": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        conversationId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Conversation"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.conversations.messages.list": {
    parameters: {
      query?: {
        order?: "asc" | "desc";
        limit?: number;
        offset?: number;
      };
      header?: never;
      path: {
        conversationId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "X-Total-Count": components["headers"]["X-Total-Count"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ChatMessageList"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.conversations.messages.create": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        conversationId: string;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description A text that is not blank, without control characters */
          text: string;
        };
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          Location: components["headers"]["Location"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ChatMessage"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.conversations.timeline": {
    parameters: {
      query?: {
        order?: "asc" | "desc";
        limit?: number;
        offset?: number;
      };
      header?: never;
      path: {
        conversationId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "X-Total-Count": components["headers"]["X-Total-Count"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ConversationTimeline"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.guest.messages.list": {
    parameters: {
      query?: {
        order?: "asc" | "desc";
        limit?: number;
        offset?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "X-Total-Count": components["headers"]["X-Total-Count"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RoomMessageList"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6"];
      406: components["responses"]["Problem406Code19"];
      410: components["responses"]["Problem410Code17"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.guest.messages.create": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description A text that is not blank, without control characters */
          text: string;
        };
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          Location: components["headers"]["Location"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RoomMessage"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      410: components["responses"]["Problem410Code17"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.sessions.list": {
    parameters: {
      query?: {
        service_key?: string;
        /** @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00) */
        since?: string;
        /** @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00) */
        until?: string;
        type?: "conference" | "ticket";
        orderby?: "date" | "start_time";
        order?: "asc" | "desc";
        limit?: number;
        offset?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "X-Total-Count": components["headers"]["X-Total-Count"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SessionStatisticList"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.sessions.get": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        sessionId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Session"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.tickets.sessions": {
    parameters: {
      query?: {
        order?: "asc" | "desc";
        limit?: number;
        offset?: number;
      };
      header?: never;
      path: {
        ticketId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "X-Total-Count": components["headers"]["X-Total-Count"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TicketSessionList"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.conferences.sessions": {
    parameters: {
      query?: {
        order?: "asc" | "desc";
        limit?: number;
        offset?: number;
      };
      header?: never;
      path: {
        conferenceId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "X-Total-Count": components["headers"]["X-Total-Count"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ConferenceSessionList"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.rooms.list": {
    parameters: {
      query?: {
        order?: "asc" | "desc";
        limit?: number;
        offset?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "X-Total-Count": components["headers"]["X-Total-Count"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["LiveRoomList"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.rooms.supervisorToken": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        sessionId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SupervisorToken"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.medias.list": {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
        orderby?: "date" | "modified" | "start_time" | "id";
        order?: "asc" | "desc";
        /** @description Comma-separated list of: inprogress, uncompleted, completed, error */
        status?: string;
        ticketId?: number;
        conferenceId?: number;
        /** @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00) */
        since?: string;
        /** @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00) */
        until?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "X-Total-Count": components["headers"]["X-Total-Count"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["MediaList"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.medias.create": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "multipart/form-data": {
          /** Format: binary */
          file: string;
          ticketId?: number;
          conferenceId?: number;
          /** @enum {string} */
          kind?: "snapshot" | "share";
          /** @description One line of text that is not blank */
          title?: string;
          description?: string;
          latitude?: number;
          longitude?: number;
        };
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          Location: components["headers"]["Location"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Media"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or16Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      410: components["responses"]["Problem410Code17"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.tickets.medias": {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
        orderby?: "date" | "modified" | "start_time" | "id";
        order?: "asc" | "desc";
        /** @description Comma-separated list of: inprogress, uncompleted, completed, error */
        status?: string;
      };
      header?: never;
      path: {
        ticketId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "X-Total-Count": components["headers"]["X-Total-Count"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TicketMediaList"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.enterprises.tickets.medias": {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
        orderby?: "date" | "modified" | "start_time" | "id";
        order?: "asc" | "desc";
        /** @description Comma-separated list of: inprogress, uncompleted, completed, error */
        status?: string;
      };
      header?: never;
      path: {
        enterpriseId: number;
        ticketId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "X-Total-Count": components["headers"]["X-Total-Count"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TicketMediaList"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.conferences.media": {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
        orderby?: "date" | "modified" | "start_time" | "id";
        order?: "asc" | "desc";
        /** @description Comma-separated list of: inprogress, uncompleted, completed, error */
        status?: string;
      };
      header?: never;
      path: {
        conferenceId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "X-Total-Count": components["headers"]["X-Total-Count"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ConferenceMediaList"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.medias.get": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        mediaId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Media"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.medias.delete": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        mediaId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done; the response has no body */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.medias.update": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        mediaId: number;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @description One line of text that is not blank */
          title?: string;
          description?: string | null;
          latitude?: number | null;
          longitude?: number | null;
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Media"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.medias.download": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        mediaId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "*/*": string;
        };
      };
      /** @description The requested part */
      206: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "*/*": string;
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.medias.ocr": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        mediaId: number;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          left?: number;
          top?: number;
          width?: number;
          height?: number;
        };
      };
    };
    responses: {
      /** @description Accepted for processing */
      202: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.guest.medias.get": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        mediaId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Media"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      410: components["responses"]["Problem410Code17"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.guest.medias.create": {
    parameters: {
      query?: {
        clientId?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "multipart/form-data": {
          /** Format: binary */
          file: string;
          /** @enum {string} */
          kind?: "snapshot" | "share";
          /** @description One line of text that is not blank */
          title?: string;
          description?: string;
          latitude?: number;
          longitude?: number;
        };
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          Location: components["headers"]["Location"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Media"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or16"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      410: components["responses"]["Problem410Code17"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.recordings.create": {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @description Video/webm or video/mp4, with or without codecs */
          type: string;
          /** @description One line of text that is not blank */
          title?: string;
        };
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          Location: components["headers"]["Location"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Recording"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or16"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      410: components["responses"]["Problem410Code17"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.recordings.chunk": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        recordingId: number;
        number: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/octet-stream": string;
        "video/webm": string;
        "video/mp4": string;
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RecordingChunk"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or16"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      410: components["responses"]["Problem410Code17"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.v3.recordings.finalize": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        recordingId: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          chunks: number;
        };
      };
    };
    responses: {
      /** @description Accepted for processing */
      202: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Recording"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      410: components["responses"]["Problem410Code17"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.sms.list": {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
        orderby?: "date" | "modified" | "id";
        order?: "asc" | "desc";
        /** @description Comma-separated list of: queued, sent, delivered, undelivered, failed */
        status?: string;
        /** @description A phone number with its country code, such as +33612345678 */
        to?: string;
        ticketId?: number;
        /** @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00) */
        since?: string;
        /** @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00) */
        until?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "X-Total-Count": components["headers"]["X-Total-Count"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["SmsList"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.sms.create": {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to repeat a request: within 24 hours, the same key returns the response to the first request. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * @description A phone number with its country code, such as +33612345678
           * @example +33612345678
           */
          to: string;
          text?: string;
          /** @description An SMS template, instead of `text` */
          templateId?: number;
          variables?: {
            [key: string]: string;
          };
          ticketId?: number | null;
        };
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          Location: components["headers"]["Location"];
          "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Sms"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or16Or18"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.sms.get": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        messageId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Sms"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.emails.list": {
    parameters: {
      query?: {
        limit?: number;
        offset?: number;
        orderby?: "date" | "modified" | "id";
        order?: "asc" | "desc";
        /** @description Comma-separated list of: queued, sent, delivered, undelivered, failed */
        status?: string;
        /** @description An email address, such as ann@example.com */
        to?: string;
        ticketId?: number;
        /** @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00) */
        since?: string;
        /** @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00) */
        until?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "X-Total-Count": components["headers"]["X-Total-Count"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["EmailList"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.emails.create": {
    parameters: {
      query?: never;
      header?: {
        /** @description Makes it safe to repeat a request: within 24 hours, the same key returns the response to the first request. */
        "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
      };
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /**
           * Format: email
           * @description An email address, such as ann@example.com
           */
          to: string;
          /** @description One line of text that is not blank */
          subject: string;
          text: string;
          html?: string | null;
          ticketId?: number | null;
        };
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          Location: components["headers"]["Location"];
          "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Email"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.emails.get": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        messageId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Email"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.sms.status": {
    parameters: {
      query?: {
        id?: string;
      };
      header?: never;
      path: {
        provider: "http" | "twilio";
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": string;
        "application/x-www-form-urlencoded": string;
      };
    };
    responses: {
      /** @description Done; the response has no body */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Problem400Code9Or10"];
      403: components["responses"]["Problem403Code6"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      410: components["responses"]["Problem410Code17"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.sms.incoming": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        provider: "http" | "twilio";
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": string;
        "application/x-www-form-urlencoded": string;
      };
    };
    responses: {
      /** @description Done; the response has no body */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Problem400Code9Or10"];
      403: components["responses"]["Problem403Code6"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      410: components["responses"]["Problem410Code17"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.service.templates.list": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        serviceId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TemplateList"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.service.templates.put": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        serviceId: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @enum {string} */
          kind: "ticket" | "expert" | "conference" | "reminder" | "cancel";
          /** @enum {string} */
          channel: "email" | "sms";
          /** @enum {string} */
          language: "fr" | "en" | "es" | "de" | "it" | "nl" | "pt";
          /** @description One line of text, without control characters */
          subject?: string | null;
          text: string;
          html?: string | null;
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Template"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.service.templates.delete": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        serviceId: number;
        templateId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done; the response has no body */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.service.templates.preview": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        serviceId: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @enum {string} */
          kind: "ticket" | "expert" | "conference" | "reminder" | "cancel";
          /** @enum {string} */
          channel: "email" | "sms";
          /** @enum {string} */
          language: "fr" | "en" | "es" | "de" | "it" | "nl" | "pt";
          /** @description One line of text, without control characters */
          subject?: string | null;
          text?: string;
          html?: string | null;
          builtIn?: boolean;
          variables?: {
            [key: string]: string;
          };
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TemplatePreview"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.enterprises.templates.list": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        enterpriseId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TemplateList"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.enterprises.templates.put": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        enterpriseId: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @enum {string} */
          kind: "ticket" | "expert" | "conference" | "reminder" | "cancel";
          /** @enum {string} */
          channel: "email" | "sms";
          /** @enum {string} */
          language: "fr" | "en" | "es" | "de" | "it" | "nl" | "pt";
          /** @description One line of text, without control characters */
          subject?: string | null;
          text: string;
          html?: string | null;
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Template"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.enterprises.templates.delete": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        enterpriseId: number;
        templateId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done; the response has no body */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  "api.enterprises.templates.preview": {
    parameters: {
      query?: never;
      header?: never;
      path: {
        enterpriseId: number;
      };
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          /** @enum {string} */
          kind: "ticket" | "expert" | "conference" | "reminder" | "cancel";
          /** @enum {string} */
          channel: "email" | "sms";
          /** @enum {string} */
          language: "fr" | "en" | "es" | "de" | "it" | "nl" | "pt";
          /** @description One line of text, without control characters */
          subject?: string | null;
          text?: string;
          html?: string | null;
          builtIn?: boolean;
          variables?: {
            [key: string]: string;
          };
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["TemplatePreview"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  watchWebhookDeliveries: {
    parameters: {
      query?: {
        /** @description `2`: a stream names its updates `update`. Without it: `beat`, which is deprecated */
        events?: 2;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["LiveDeliveries"];
          "text/event-stream": string;
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  getWebhookSeries: {
    parameters: {
      query?: {
        /** @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00) */
        since?: string;
        /** @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00) */
        until?: string;
        webhookId?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["DeliverySeries"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  searchWebhookDeliveries: {
    parameters: {
      query?: {
        /** @description A comma-separated list of webhook ids */
        webhook?: string;
        /** @description Comma-separated list of: pending, queued, sending, retry, delivered, dead, paused, cancelled, available */
        status?: string;
        /** @description Comma-separated list of: 1xx, 2xx, 3xx, 4xx, 5xx, timeout_connect, timeout_response, dns, refused, reset, unreachable, tls, protocol, blocked_target, oauth2, aborted, interrupted, other */
        result?: string;
        object?:
          | "ticket"
          | "media"
          | "conversation"
          | "smsmessage"
          | "conversationevent"
          | "subscription"
          | "delivery";
        objectId?: string;
        event?: "create" | "update" | "delete" | "warned" | "disabled" | "recovered" | "dead";
        eventType?:
          | "ticket.new"
          | "ticket.approved"
          | "ticket.assigned"
          | "ticket.completed"
          | "ticket.cancelled"
          | "ticket.closed"
          | "ticket.priorityChanged"
          | "ticket.sessionStarted"
          | "ticket.invitationSent"
          | "ticket.invitationResent"
          | "ticket.invitationAccepted"
          | "ticket.invitationDeclined"
          | "ticket.invitationClicked"
          | "ticket.invitationNotclicked"
          | "ticket.invitationExpired"
          | "consent.accepted"
          | "geo.ansAllowed"
          | "geo.ansDisallowed"
          | "mediaDevice.allowed"
          | "mediaDevice.disallowed"
          | "mediaDevice.cameraAllowed"
          | "mediaDevice.cameraDisallowed"
          | "mediaDevice.micAllowed"
          | "mediaDevice.micDisallowed"
          | "session.established"
          | "session.agentContacted"
          | "session.agentLeft"
          | "session.userLeft"
          | "media.pictureTaken"
          | "media.OCRDone"
          | "media.pictureSent"
          | "survey.answered";
        event_id?: string;
        /**
         * @deprecated
         * @description The old name of `event_id`
         */
        eventId?: string;
        text?: string;
        replay?: number;
        /** @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00) */
        since?: string;
        /** @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00) */
        until?: string;
        /** @description Where to go on: the `next_cursor` of an answer to the same question */
        cursor?: string;
        limit?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebhookDeliverySearch"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  exportWebhookDeliveries: {
    parameters: {
      query?: {
        /** @description A comma-separated list of webhook ids */
        webhook?: string;
        /** @description Comma-separated list of: pending, queued, sending, retry, delivered, dead, paused, cancelled, available */
        status?: string;
        /** @description Comma-separated list of: 1xx, 2xx, 3xx, 4xx, 5xx, timeout_connect, timeout_response, dns, refused, reset, unreachable, tls, protocol, blocked_target, oauth2, aborted, interrupted, other */
        result?: string;
        object?:
          | "ticket"
          | "media"
          | "conversation"
          | "smsmessage"
          | "conversationevent"
          | "subscription"
          | "delivery";
        objectId?: string;
        event?: "create" | "update" | "delete" | "warned" | "disabled" | "recovered" | "dead";
        eventType?:
          | "ticket.new"
          | "ticket.approved"
          | "ticket.assigned"
          | "ticket.completed"
          | "ticket.cancelled"
          | "ticket.closed"
          | "ticket.priorityChanged"
          | "ticket.sessionStarted"
          | "ticket.invitationSent"
          | "ticket.invitationResent"
          | "ticket.invitationAccepted"
          | "ticket.invitationDeclined"
          | "ticket.invitationClicked"
          | "ticket.invitationNotclicked"
          | "ticket.invitationExpired"
          | "consent.accepted"
          | "geo.ansAllowed"
          | "geo.ansDisallowed"
          | "mediaDevice.allowed"
          | "mediaDevice.disallowed"
          | "mediaDevice.cameraAllowed"
          | "mediaDevice.cameraDisallowed"
          | "mediaDevice.micAllowed"
          | "mediaDevice.micDisallowed"
          | "session.established"
          | "session.agentContacted"
          | "session.agentLeft"
          | "session.userLeft"
          | "media.pictureTaken"
          | "media.OCRDone"
          | "media.pictureSent"
          | "survey.answered";
        event_id?: string;
        /**
         * @deprecated
         * @description The old name of `event_id`
         */
        eventId?: string;
        text?: string;
        replay?: number;
        /** @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00) */
        since?: string;
        /** @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00) */
        until?: string;
        /** @description Where to go on: the `next_cursor` of an answer to the same question */
        cursor?: string;
        format?: "csv" | "json";
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebhookDeliveryExport"];
          "text/csv": string;
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  getDelivery: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        deliveryId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebhookDelivery"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  listWebhookDeliveries: {
    parameters: {
      query?: {
        /** @description Comma-separated list of: pending, queued, sending, retry, delivered, dead, paused, cancelled, available */
        status?: string;
        /** @description Comma-separated list of: 1xx, 2xx, 3xx, 4xx, 5xx, timeout_connect, timeout_response, dns, refused, reset, unreachable, tls, protocol, blocked_target, oauth2, aborted, interrupted, other */
        result?: string;
        object?:
          | "ticket"
          | "media"
          | "conversation"
          | "smsmessage"
          | "conversationevent"
          | "subscription"
          | "delivery";
        objectId?: string;
        event?: "create" | "update" | "delete" | "warned" | "disabled" | "recovered" | "dead";
        eventType?:
          | "ticket.new"
          | "ticket.approved"
          | "ticket.assigned"
          | "ticket.completed"
          | "ticket.cancelled"
          | "ticket.closed"
          | "ticket.priorityChanged"
          | "ticket.sessionStarted"
          | "ticket.invitationSent"
          | "ticket.invitationResent"
          | "ticket.invitationAccepted"
          | "ticket.invitationDeclined"
          | "ticket.invitationClicked"
          | "ticket.invitationNotclicked"
          | "ticket.invitationExpired"
          | "consent.accepted"
          | "geo.ansAllowed"
          | "geo.ansDisallowed"
          | "mediaDevice.allowed"
          | "mediaDevice.disallowed"
          | "mediaDevice.cameraAllowed"
          | "mediaDevice.cameraDisallowed"
          | "mediaDevice.micAllowed"
          | "mediaDevice.micDisallowed"
          | "session.established"
          | "session.agentContacted"
          | "session.agentLeft"
          | "session.userLeft"
          | "media.pictureTaken"
          | "media.OCRDone"
          | "media.pictureSent"
          | "survey.answered";
        event_id?: string;
        /**
         * @deprecated
         * @description The old name of `event_id`
         */
        eventId?: string;
        text?: string;
        replay?: number;
        /** @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00) */
        since?: string;
        /** @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00) */
        until?: string;
        /** @description Where to go on: the `next_cursor` of an answer to the same question */
        cursor?: string;
        limit?: number;
        /** @description Use cursor instead: each response has the next one in next_cursor */
        offset?: number;
      };
      header?: never;
      path: {
        webhookId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "X-Total-Count": components["headers"]["X-Total-Count"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebhookDeliveryList"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  getWebhookDelivery: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        webhookId: number;
        deliveryId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebhookDelivery"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  explainWebhookEvent: {
    parameters: {
      query?: {
        event_id?: string;
        /**
         * @deprecated
         * @description The old name of `event_id`
         */
        event?: string;
        object?:
          | "ticket"
          | "media"
          | "conversation"
          | "smsmessage"
          | "conversationevent"
          | "subscription"
          | "delivery";
        objectId?: string;
        time?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Explanation"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  explainWebhook: {
    parameters: {
      query?: {
        /** @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00) */
        since?: string;
        /** @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00) */
        until?: string;
      };
      header?: never;
      path: {
        webhookId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebhookExplanation"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  explainPlatformWebhook: {
    parameters: {
      query?: {
        /** @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00) */
        since?: string;
        /** @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00) */
        until?: string;
      };
      header?: never;
      path: {
        webhookId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PlatformWebhookExplanation"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  testWebhookFilters: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          filters: string[];
          conditions?: Record<string, never> | null;
          /** @default 500 */
          limit?: number;
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["FilterTest"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  reconcileWebhooks: {
    parameters: {
      query?: {
        /** @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00) */
        since?: string;
        /** @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00) */
        until?: string;
        /** @description A next_cursor that this list returned */
        cursor?: string;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Reconciliation"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  getWebhookManifest: {
    parameters: {
      query?: {
        from?: number;
        to?: number;
        limit?: number;
      };
      header?: never;
      path: {
        webhookId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Manifest"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  retryDeliveries: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          deliveries: number[];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RetriedWebhookDeliveries"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  retryDelivery: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        deliveryId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Accepted for processing */
      202: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RetriedWebhookDelivery"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  probeWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        webhookId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Accepted for processing */
      202: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ProbedWebhook"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  listWebhookReplays: {
    parameters: {
      query?: {
        /** @description A comma-separated list of webhook ids */
        webhook?: string;
        /** @description Comma-separated list of: counting, running, paused, done, cancelled, failed */
        state?: string;
        limit?: number;
        offset?: number;
      };
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          "X-Total-Count": components["headers"]["X-Total-Count"];
          Link: components["headers"]["Link"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebhookReplayList"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  getWebhookReplay: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        replayId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebhookReplay"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  replayWebhookDeliveries: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          deliveries: number[];
        };
      };
    };
    responses: {
      /** @description Accepted for processing */
      202: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ReplayedWebhookDeliveries"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  replayWebhookDelivery: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        webhookId: number;
        deliveryId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Accepted for processing */
      202: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["RepeatedWebhookDelivery"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  replayWebhook: {
    parameters: {
      query?: {
        /** @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00) */
        since?: string;
        /** @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00) */
        until?: string;
        /** @description Comma-separated list of: dead, delivered, cancelled, never_attempted */
        status?: string | ("dead" | "delivered" | "cancelled" | "never_attempted")[];
        object?:
          | "ticket"
          | "media"
          | "conversation"
          | "smsmessage"
          | "conversationevent"
          | "subscription"
          | "delivery";
        eventType?:
          | "ticket.new"
          | "ticket.approved"
          | "ticket.assigned"
          | "ticket.completed"
          | "ticket.cancelled"
          | "ticket.closed"
          | "ticket.priorityChanged"
          | "ticket.sessionStarted"
          | "ticket.invitationSent"
          | "ticket.invitationResent"
          | "ticket.invitationAccepted"
          | "ticket.invitationDeclined"
          | "ticket.invitationClicked"
          | "ticket.invitationNotclicked"
          | "ticket.invitationExpired"
          | "consent.accepted"
          | "geo.ansAllowed"
          | "geo.ansDisallowed"
          | "mediaDevice.allowed"
          | "mediaDevice.disallowed"
          | "mediaDevice.cameraAllowed"
          | "mediaDevice.cameraDisallowed"
          | "mediaDevice.micAllowed"
          | "mediaDevice.micDisallowed"
          | "session.established"
          | "session.agentContacted"
          | "session.agentLeft"
          | "session.userLeft"
          | "media.pictureTaken"
          | "media.OCRDone"
          | "media.pictureSent"
          | "survey.answered";
        /** @description A result of an attempt, such as 5xx or dns */
        result?: string;
        rate?: number;
      };
      header?: never;
      path: {
        webhookId: number;
      };
      cookie?: never;
    };
    /** @description Each field can be in the query or in the body. If it is in both, the body counts. */
    requestBody?: {
      content: {
        "application/json": {
          /**
           * @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00)
           * @example 2026-12-01
           * @example 2026-12-01T10:00:00+01:00
           */
          since?: string;
          /**
           * @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00)
           * @example 2026-12-01
           * @example 2026-12-01T10:00:00+01:00
           */
          until?: string;
          /** @description Comma-separated list of: dead, delivered, cancelled, never_attempted */
          status?: string | ("dead" | "delivered" | "cancelled" | "never_attempted")[];
          /** @enum {string} */
          object?:
            | "ticket"
            | "media"
            | "conversation"
            | "smsmessage"
            | "conversationevent"
            | "subscription"
            | "delivery";
          /** @enum {string} */
          eventType?:
            | "ticket.new"
            | "ticket.approved"
            | "ticket.assigned"
            | "ticket.completed"
            | "ticket.cancelled"
            | "ticket.closed"
            | "ticket.priorityChanged"
            | "ticket.sessionStarted"
            | "ticket.invitationSent"
            | "ticket.invitationResent"
            | "ticket.invitationAccepted"
            | "ticket.invitationDeclined"
            | "ticket.invitationClicked"
            | "ticket.invitationNotclicked"
            | "ticket.invitationExpired"
            | "consent.accepted"
            | "geo.ansAllowed"
            | "geo.ansDisallowed"
            | "mediaDevice.allowed"
            | "mediaDevice.disallowed"
            | "mediaDevice.cameraAllowed"
            | "mediaDevice.cameraDisallowed"
            | "mediaDevice.micAllowed"
            | "mediaDevice.micDisallowed"
            | "session.established"
            | "session.agentContacted"
            | "session.agentLeft"
            | "session.userLeft"
            | "media.pictureTaken"
            | "media.OCRDone"
            | "media.pictureSent"
            | "survey.answered";
          /** @description A result of an attempt, such as 5xx or dns */
          result?: string;
          rate?: number;
        };
        "application/x-www-form-urlencoded": {
          /**
           * @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00)
           * @example 2026-12-01
           * @example 2026-12-01T10:00:00+01:00
           */
          since?: string;
          /**
           * @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00)
           * @example 2026-12-01
           * @example 2026-12-01T10:00:00+01:00
           */
          until?: string;
          /** @description Comma-separated list of: dead, delivered, cancelled, never_attempted */
          status?: string | ("dead" | "delivered" | "cancelled" | "never_attempted")[];
          /** @enum {string} */
          object?:
            | "ticket"
            | "media"
            | "conversation"
            | "smsmessage"
            | "conversationevent"
            | "subscription"
            | "delivery";
          /** @enum {string} */
          eventType?:
            | "ticket.new"
            | "ticket.approved"
            | "ticket.assigned"
            | "ticket.completed"
            | "ticket.cancelled"
            | "ticket.closed"
            | "ticket.priorityChanged"
            | "ticket.sessionStarted"
            | "ticket.invitationSent"
            | "ticket.invitationResent"
            | "ticket.invitationAccepted"
            | "ticket.invitationDeclined"
            | "ticket.invitationClicked"
            | "ticket.invitationNotclicked"
            | "ticket.invitationExpired"
            | "consent.accepted"
            | "geo.ansAllowed"
            | "geo.ansDisallowed"
            | "mediaDevice.allowed"
            | "mediaDevice.disallowed"
            | "mediaDevice.cameraAllowed"
            | "mediaDevice.cameraDisallowed"
            | "mediaDevice.micAllowed"
            | "mediaDevice.micDisallowed"
            | "session.established"
            | "session.agentContacted"
            | "session.agentLeft"
            | "session.userLeft"
            | "media.pictureTaken"
            | "media.OCRDone"
            | "media.pictureSent"
            | "survey.answered";
          /** @description A result of an attempt, such as 5xx or dns */
          result?: string;
          rate?: number;
        };
      };
    };
    responses: {
      /** @description Accepted for processing */
      202: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebhookReplay"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  previewWebhookReplay: {
    parameters: {
      query?: {
        /** @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00) */
        since?: string;
        /** @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00) */
        until?: string;
        /** @description Comma-separated list of: dead, delivered, cancelled, never_attempted */
        status?: string | ("dead" | "delivered" | "cancelled" | "never_attempted")[];
        object?:
          | "ticket"
          | "media"
          | "conversation"
          | "smsmessage"
          | "conversationevent"
          | "subscription"
          | "delivery";
        eventType?:
          | "ticket.new"
          | "ticket.approved"
          | "ticket.assigned"
          | "ticket.completed"
          | "ticket.cancelled"
          | "ticket.closed"
          | "ticket.priorityChanged"
          | "ticket.sessionStarted"
          | "ticket.invitationSent"
          | "ticket.invitationResent"
          | "ticket.invitationAccepted"
          | "ticket.invitationDeclined"
          | "ticket.invitationClicked"
          | "ticket.invitationNotclicked"
          | "ticket.invitationExpired"
          | "consent.accepted"
          | "geo.ansAllowed"
          | "geo.ansDisallowed"
          | "mediaDevice.allowed"
          | "mediaDevice.disallowed"
          | "mediaDevice.cameraAllowed"
          | "mediaDevice.cameraDisallowed"
          | "mediaDevice.micAllowed"
          | "mediaDevice.micDisallowed"
          | "session.established"
          | "session.agentContacted"
          | "session.agentLeft"
          | "session.userLeft"
          | "media.pictureTaken"
          | "media.OCRDone"
          | "media.pictureSent"
          | "survey.answered";
        /** @description A result of an attempt, such as 5xx or dns */
        result?: string;
        rate?: number;
      };
      header?: never;
      path: {
        webhookId: number;
      };
      cookie?: never;
    };
    /** @description Each field can be in the query or in the body. If it is in both, the body counts. */
    requestBody?: {
      content: {
        "application/json": {
          /**
           * @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00)
           * @example 2026-12-01
           * @example 2026-12-01T10:00:00+01:00
           */
          since?: string;
          /**
           * @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00)
           * @example 2026-12-01
           * @example 2026-12-01T10:00:00+01:00
           */
          until?: string;
          /** @description Comma-separated list of: dead, delivered, cancelled, never_attempted */
          status?: string | ("dead" | "delivered" | "cancelled" | "never_attempted")[];
          /** @enum {string} */
          object?:
            | "ticket"
            | "media"
            | "conversation"
            | "smsmessage"
            | "conversationevent"
            | "subscription"
            | "delivery";
          /** @enum {string} */
          eventType?:
            | "ticket.new"
            | "ticket.approved"
            | "ticket.assigned"
            | "ticket.completed"
            | "ticket.cancelled"
            | "ticket.closed"
            | "ticket.priorityChanged"
            | "ticket.sessionStarted"
            | "ticket.invitationSent"
            | "ticket.invitationResent"
            | "ticket.invitationAccepted"
            | "ticket.invitationDeclined"
            | "ticket.invitationClicked"
            | "ticket.invitationNotclicked"
            | "ticket.invitationExpired"
            | "consent.accepted"
            | "geo.ansAllowed"
            | "geo.ansDisallowed"
            | "mediaDevice.allowed"
            | "mediaDevice.disallowed"
            | "mediaDevice.cameraAllowed"
            | "mediaDevice.cameraDisallowed"
            | "mediaDevice.micAllowed"
            | "mediaDevice.micDisallowed"
            | "session.established"
            | "session.agentContacted"
            | "session.agentLeft"
            | "session.userLeft"
            | "media.pictureTaken"
            | "media.OCRDone"
            | "media.pictureSent"
            | "survey.answered";
          /** @description A result of an attempt, such as 5xx or dns */
          result?: string;
          rate?: number;
        };
        "application/x-www-form-urlencoded": {
          /**
           * @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00)
           * @example 2026-12-01
           * @example 2026-12-01T10:00:00+01:00
           */
          since?: string;
          /**
           * @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00)
           * @example 2026-12-01
           * @example 2026-12-01T10:00:00+01:00
           */
          until?: string;
          /** @description Comma-separated list of: dead, delivered, cancelled, never_attempted */
          status?: string | ("dead" | "delivered" | "cancelled" | "never_attempted")[];
          /** @enum {string} */
          object?:
            | "ticket"
            | "media"
            | "conversation"
            | "smsmessage"
            | "conversationevent"
            | "subscription"
            | "delivery";
          /** @enum {string} */
          eventType?:
            | "ticket.new"
            | "ticket.approved"
            | "ticket.assigned"
            | "ticket.completed"
            | "ticket.cancelled"
            | "ticket.closed"
            | "ticket.priorityChanged"
            | "ticket.sessionStarted"
            | "ticket.invitationSent"
            | "ticket.invitationResent"
            | "ticket.invitationAccepted"
            | "ticket.invitationDeclined"
            | "ticket.invitationClicked"
            | "ticket.invitationNotclicked"
            | "ticket.invitationExpired"
            | "consent.accepted"
            | "geo.ansAllowed"
            | "geo.ansDisallowed"
            | "mediaDevice.allowed"
            | "mediaDevice.disallowed"
            | "mediaDevice.cameraAllowed"
            | "mediaDevice.cameraDisallowed"
            | "mediaDevice.micAllowed"
            | "mediaDevice.micDisallowed"
            | "session.established"
            | "session.agentContacted"
            | "session.agentLeft"
            | "session.userLeft"
            | "media.pictureTaken"
            | "media.OCRDone"
            | "media.pictureSent"
            | "survey.answered";
          /** @description A result of an attempt, such as 5xx or dns */
          result?: string;
          rate?: number;
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebhookReplayPreview"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  pauseWebhookReplay: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        replayId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebhookReplay"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  resumeWebhookReplay: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        replayId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebhookReplay"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  cancelWebhookReplay: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        replayId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebhookReplay"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  recoverWebhook: {
    parameters: {
      query?: {
        /** @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00) */
        since?: string;
        rate?: number;
      };
      header?: never;
      path: {
        webhookId: number;
      };
      cookie?: never;
    };
    /** @description Each field can be in the query or in the body. If it is in both, the body counts. Required in one of them: `since`. */
    requestBody?: {
      content: {
        "application/json": {
          /**
           * @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00)
           * @example 2026-12-01
           * @example 2026-12-01T10:00:00+01:00
           */
          since?: string;
          rate?: number;
        };
        "application/x-www-form-urlencoded": {
          /**
           * @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00)
           * @example 2026-12-01
           * @example 2026-12-01T10:00:00+01:00
           */
          since?: string;
          rate?: number;
        };
      };
    };
    responses: {
      /** @description Accepted for processing */
      202: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebhookRecovery"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  previewWebhookRecovery: {
    parameters: {
      query?: {
        /** @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00) */
        since?: string;
        rate?: number;
      };
      header?: never;
      path: {
        webhookId: number;
      };
      cookie?: never;
    };
    /** @description Each field can be in the query or in the body. If it is in both, the body counts. Required in one of them: `since`. */
    requestBody?: {
      content: {
        "application/json": {
          /**
           * @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00)
           * @example 2026-12-01
           * @example 2026-12-01T10:00:00+01:00
           */
          since?: string;
          rate?: number;
        };
        "application/x-www-form-urlencoded": {
          /**
           * @description A day (2026-12-01) or a time in ISO 8601 with its offset (2026-12-01T10:00:00+01:00)
           * @example 2026-12-01
           * @example 2026-12-01T10:00:00+01:00
           */
          since?: string;
          rate?: number;
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebhookRecoveryPreview"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  expungeWebhookEvent: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        eventId: string;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ExpungedEvent"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  pullWebhookEvents: {
    parameters: {
      query?: {
        /** @description A cursor that this API returned */
        after?: string;
        limit?: number;
        wait?: number;
      };
      header?: never;
      path: {
        webhookId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PulledEventPage"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  streamWebhookEvents: {
    parameters: {
      query?: {
        /** @description A cursor that this API returned */
        after?: string;
      };
      header?: never;
      path: {
        webhookId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "text/event-stream": string;
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  testWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        webhookId: number;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          filter?: string;
          event_id?: string;
          /**
           * @deprecated
           * @description The old name of `event_id`
           */
          event?: string;
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebhookTest"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  getAlerts: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AlertSettings"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  changeAlerts: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          failing_minutes?: 0 | number;
          past_due_minutes?: number;
          failed_deliveries?: boolean;
          repeat_hours?: number;
          administrators?: boolean;
          users?: number[];
          emails?: string[];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["AlertSettings"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or16Or18"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  getWebhookAlerts: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        webhookId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebhookAlertSettings"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  changeWebhookAlerts: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        webhookId: number;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          failing_minutes?: 0 | number | null;
          past_due_minutes?: number | null;
          failed_deliveries?: boolean | null;
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebhookAlertSettings"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  confirmAlertEmail: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          token: string;
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["ConfirmedAlertEmail"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      410: components["responses"]["Problem410Code17"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  stopAlertEmail: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody: {
      content: {
        "application/json": {
          token: string;
        };
      };
    };
    responses: {
      /** @description Done; the response has no body */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Problem400Code9Or10"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      410: components["responses"]["Problem410Code17"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  listWebhooks: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebhookList"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  createWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @description One line of text, without control or bidi-override characters */
          name?: string;
          /** @enum {string} */
          mode?: "push" | "pull";
          /**
           * Format: uri
           * @description https; port 443 or at least 1024; no user, password or fragment
           * @example https://crm.example.com/hooks
           */
          url?: string | null;
          active?: boolean;
          ordered?: boolean;
          maxInFlight?: number | null;
          maxPerSecond?: number | null;
          retrySchedule?: number[] | null;
          filters?: string[];
          conditions?: Record<string, never> | null;
          headers?: {
            name: string;
            value: string;
          }[];
          signatures?: ("v1" | "v1a")[];
          headerPresets?: ("github" | "stripe")[];
          oauth2?: {
            /**
             * Format: uri
             * @description https; port 443 or at least 1024; no user, password or fragment
             * @example https://crm.example.com/hooks
             */
            tokenUrl: string;
            /** @description One line of text, without control or bidi-override characters */
            clientId: string;
            /** @description One line of text, without control or bidi-override characters */
            clientSecret: string;
            /** @description One line of text, without control or bidi-override characters */
            scope?: string | null;
            /** @description One line of text, without control or bidi-override characters */
            audience?: string | null;
            /** @enum {string} */
            authentication?: "basic" | "form";
          } | null;
          clientCertificate?: {
            /** @description PEM; the masked value `••••` keeps the stored one */
            certificate: string;
            /** @description PEM; the masked value `••••` keeps the stored one */
            key: string;
            ca?: string | null;
            subject?: string;
            expires?: string;
          } | null;
          /**
           * @description Whsec_ followed by base64 of 24 to 64 bytes
           * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
           */
          secret?: string;
        };
      };
    };
    responses: {
      /** @description Created */
      201: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          Location: components["headers"]["Location"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CreatedWebhook"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or16Or18"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  listEventTypes: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["EventCatalogue"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  getWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        webhookId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Webhook"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  deleteWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        webhookId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done; the response has no body */
      204: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content?: never;
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  changeWebhook: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        webhookId: number;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @description One line of text, without control or bidi-override characters */
          name?: string;
          /** @enum {string} */
          mode?: "push" | "pull";
          /**
           * Format: uri
           * @description https; port 443 or at least 1024; no user, password or fragment
           * @example https://crm.example.com/hooks
           */
          url?: string | null;
          active?: boolean;
          ordered?: boolean;
          maxInFlight?: number | null;
          maxPerSecond?: number | null;
          retrySchedule?: number[] | null;
          filters?: string[];
          conditions?: Record<string, never> | null;
          headers?: {
            name: string;
            value: string;
          }[];
          signatures?: ("v1" | "v1a")[];
          headerPresets?: ("github" | "stripe")[];
          oauth2?: {
            /**
             * Format: uri
             * @description https; port 443 or at least 1024; no user, password or fragment
             * @example https://crm.example.com/hooks
             */
            tokenUrl: string;
            /** @description One line of text, without control or bidi-override characters */
            clientId: string;
            /** @description One line of text, without control or bidi-override characters */
            clientSecret: string;
            /** @description One line of text, without control or bidi-override characters */
            scope?: string | null;
            /** @description One line of text, without control or bidi-override characters */
            audience?: string | null;
            /** @enum {string} */
            authentication?: "basic" | "form";
          } | null;
          clientCertificate?: {
            /** @description PEM; the masked value `••••` keeps the stored one */
            certificate: string;
            /** @description PEM; the masked value `••••` keeps the stored one */
            key: string;
            ca?: string | null;
            subject?: string;
            expires?: string;
          } | null;
          remove?: ("headers" | "oauth2" | "clientCertificate")[];
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Webhook"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  rotateWebhookSecret: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        webhookId: number;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @default 24 */
          overlapHours?: number;
          /**
           * @description Whsec_ followed by base64 of 24 to 64 bytes
           * @example whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
           */
          secret?: string;
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["CreatedWebhook"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  rotateWebhookKey: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        webhookId: number;
      };
      cookie?: never;
    };
    requestBody?: {
      content: {
        "application/json": {
          /** @default 24 */
          overlapHours?: number;
        };
      };
    };
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["Webhook"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      409: components["responses"]["Problem409Code11"];
      413: components["responses"]["Problem413Code13"];
      415: components["responses"]["Problem415Code14"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  getWebhookHealth: {
    parameters: {
      query?: never;
      header?: never;
      path: {
        webhookId: number;
      };
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["WebhookStanding"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      404: components["responses"]["Problem404Code8"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  getPlatformQueues: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PlatformQueues"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
  getPlatformHealth: {
    parameters: {
      query?: never;
      header?: never;
      path?: never;
      cookie?: never;
    };
    requestBody?: never;
    responses: {
      /** @description Done */
      200: {
        headers: {
          "X-Request-Id": components["headers"]["X-Request-Id"];
          "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
          "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
          "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
          [name: string]: unknown;
        };
        content: {
          "application/json": components["schemas"]["PlatformHealth"];
        };
      };
      400: components["responses"]["Problem400Code9Or10"];
      401: components["responses"]["Problem401Code3Or4"];
      403: components["responses"]["Problem403Code6Or7Or18"];
      406: components["responses"]["Problem406Code19"];
      429: components["responses"]["Problem429Code12"];
      431: components["responses"]["Problem431Code20"];
      500: components["responses"]["Problem500Code1"];
      503: components["responses"]["Problem503Code2"];
    };
  };
}
