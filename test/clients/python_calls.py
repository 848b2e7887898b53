"""Uses the generated client: creates and finds a ticket, and expects a 400 with its fields."""

import os

from sightline_client import AuthenticatedClient, Client
from sightline_client.api.tickets import api_v3_tickets_create as create
from sightline_client.api.tickets import api_v3_tickets_list as find
from sightline_client.api.token import api_token_create as sign_in
from sightline_client.models.api_token_create_json_body import ApiTokenCreateJsonBody
from sightline_client.models.api_v3_tickets_create_json_body import ApiV3TicketsCreateJsonBody

base = os.environ["BASE"]

grant = ApiTokenCreateJsonBody.from_dict(
    {
        "grant_type": "password",
        "username": os.environ["LOGIN"],
        "password": os.environ["PASSWORD"],
    }
)
token = sign_in.sync(client=Client(base_url=base), body=grant)
client = AuthenticatedClient(base_url=base, token=token.access_token)

wanted = {"agent": os.environ["AGENT"], "phone": "+33612345678", "reference": "generated"}
made = create.sync(client=client, body=ApiV3TicketsCreateJsonBody.from_dict(wanted))
assert made.state == "new" and made.reference == "generated", made

found = find.sync(client=client, reference="generated", limit=1, state="new")
assert found.total >= 1 and found.data[0].id == made.id, found

wrong = {"agent": "nobody", "phone": "0612345678", "priority": 9}
refused = create.sync(client=client, body=ApiV3TicketsCreateJsonBody.from_dict(wrong))
fields = sorted(fault["field"] for fault in refused.to_dict()["errors"])
assert fields == ["agent", "phone", "priority"], fields

print(f"ticket {made.id} made and found; a wrong one was refused for {', '.join(fields)}")
