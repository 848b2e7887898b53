import { plainWords } from "./plain-words.js";

/**
 * Lint rules of this project, as plain JavaScript: oxlint on Node 20 cannot load TypeScript.
 *
 * no-outer-db-in-transaction: inside `inTransaction(db, async (trx) => …)`, the pool `db` uses a
 * second connection. Its writes commit separately, and its reads do not see the transaction's
 * changes.
 */
const isInTransaction = ({ callee }) =>
  callee.type === "Identifier" && ["inTransaction", "inSnapshot"].includes(callee.name);

const noOuterDb = {
  create(context) {
    const calls = [];
    const sourceOf = (node) => context.sourceCode.getText(node);
    const isInsideCallback = (node, call) => {
      const work = call.arguments[1];
      return work !== undefined && node.range[0] >= work.range[0] && node.range[1] <= work.range[1];
    };
    const check = (node) => {
      for (const call of calls) {
        const pool = call.arguments[0];
        if (
          pool !== undefined &&
          isInsideCallback(node, call) &&
          sourceOf(node) === sourceOf(pool)
        ) {
          context.report({
            node,
            message: `${sourceOf(node)} is the pool: inside inTransaction use the transaction.`,
          });
        }
      }
    };
    const isMemberName = (node) =>
      node.parent.type === "MemberExpression" &&
      node.parent.property === node &&
      !node.parent.computed;
    const isKey = (node) =>
      node.parent.type === "Property" && node.parent.key === node && !node.parent.shorthand;
    return {
      CallExpression(node) {
        if (isInTransaction(node)) {
          calls.push(node);
        }
      },
      "CallExpression:exit"(node) {
        if (calls.at(-1) === node) {
          calls.pop();
        }
      },
      Identifier(node) {
        if (!isMemberName(node) && !isKey(node)) {
          check(node);
        }
      },
      MemberExpression: check,
    };
  },
};

const disable = /^\s*(?:oxlint|eslint)-disable/u;

/** A disable comment gives its reason after `--`. */
const disableNeedsReason = {
  create(context) {
    return {
      Program() {
        for (const comment of context.sourceCode.getAllComments()) {
          if (disable.test(comment.value) && !/--\s*\S/u.test(comment.value)) {
            context.report({ node: comment, message: "Say why after `--`." });
          }
        }
      },
    };
  },
};

export default {
  meta: { name: "sightline" },
  rules: {
    "no-outer-db-in-transaction": noOuterDb,
    "disable-needs-a-reason": disableNeedsReason,
    "plain-words": plainWords,
  },
};
