// The house's own rules of syntax, for oxlint, and eslint's rule about long lines, which oxlint does not have.
import { builtinRules } from 'eslint/use-at-your-own-risk';

const restricted = builtinRules.get('no-restricted-syntax');

/** What an unloaded cluster must not leave behind in its process. */
const MODULE_STATE = ['Map', 'Set', 'LRUCache'].map((name) => ({
  selector: `:matches(Program, ExportNamedDeclaration) > VariableDeclaration > VariableDeclarator > NewExpression${
    name === 'LRUCache' ? "[callee.name='LRUCache']" : `[callee.name='${name}'][arguments.length=0]`
  }`,
  message:
    'State of a module outlives the cluster that filled it: hang it on an object of the cluster (a WeakMap), ' +
    'or say in a comment why no cluster can be reached from it.',
}));

/** What a step of the simulation does is over when it returns. */
const PROMISES = [':function[async=true]', 'AwaitExpression', "NewExpression[callee.name='Promise']"].map(
  (selector) => ({ selector, message: 'The simulation is synchronous: it returns what it waits for.' }),
);

/** A literal with a getter gets a hidden class of its own each time that it is made. */
const GETTERS = [
  {
    selector: "ObjectExpression > Property[kind='get']",
    message:
      'Such an object is slow, and V8 keeps what its getter sees until it collects the whole heap: write a class, or ' +
      'let all of them share one accessor (kernel/files/lazy-file.ts).',
  },
];

const impure = (selector, message) => ({ selector, message: `The engine is pure: ${message}` });
const IMPURE = [
  impure("MemberExpression[object.name='Date'][property.name='now']", 'it is told what time it is.'),
  impure("NewExpression[callee.name='Date'][arguments.length=0]", 'it is told what time it is.'),
  impure("MemberExpression[object.name='Math'][property.name='random']", "chance comes from the cluster's seed."),
  impure(
    'MemberExpression[property.name=/^(localeCompare|toLocaleString|toLocaleLowerCase|toLocaleUpperCase)$/]',
    'it sorts by code units.',
  ),
];

/** A rule without options: eslint's no-restricted-syntax with these. */
const restrict = (options) => ({
  meta: { ...restricted.meta, schema: [], defaultOptions: [] },
  create: (context) => restricted.create(Object.create(context, { options: { value: options } })),
});

export default {
  meta: { name: 'house' },
  rules: {
    'no-module-state': restrict(MODULE_STATE),
    'no-promises': restrict(PROMISES),
    'no-literal-getters': restrict(GETTERS),
    'no-impurity': restrict(IMPURE),
    'max-len': builtinRules.get('max-len'),
  },
};
