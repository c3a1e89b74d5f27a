import {
  GraphQLError,
  Kind,
  type ASTVisitor,
  type FragmentDefinitionNode,
  type SelectionSetNode,
  type ValidationContext,
} from 'graphql';

const MAX_DEPTH = 12;
const MAX_FIELDS = 300;
/** A root field may cost a request to a cluster. */
const MAX_ROOT_FIELDS = 20;

interface Size {
  readonly depth: number;
  readonly fields: number;
}

/** A validation rule that refuses operations that are too deep or too large, before they run. */
export function limitOperations(context: ValidationContext): ASTVisitor {
  return {
    OperationDefinition(operation) {
      const { depth, fields } = measure(operation.selectionSet, context, new Set());
      const roots = rootFields(operation.selectionSet, context, new Set());
      if (depth > MAX_DEPTH)
        context.reportError(
          new GraphQLError(`the operation is ${depth} levels deep; at most ${MAX_DEPTH} are allowed`),
        );
      if (fields > MAX_FIELDS)
        context.reportError(
          new GraphQLError(`the operation has ${fields} fields or more; at most ${MAX_FIELDS} are allowed`),
        );
      if (roots > MAX_ROOT_FIELDS)
        context.reportError(
          new GraphQLError(`the operation has ${roots} fields at its root; at most ${MAX_ROOT_FIELDS} are allowed`),
        );
    },
  };
}

/**
 * Fragments count where they are spread. Counting ends once past the limit, so that nested fragments cannot make it
 * long.
 */
function measure(
  set: SelectionSetNode | undefined,
  context: ValidationContext,
  spread: Set<FragmentDefinitionNode>,
  budget = { left: MAX_FIELDS + 1 },
): Size {
  let depth = 0;
  let fields = 0;
  for (const selection of set?.selections ?? []) {
    if (budget.left <= 0) break;
    const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? context.getFragment(selection.name.value) : undefined;
    if (selection.kind === Kind.FRAGMENT_SPREAD && (!fragment || spread.has(fragment))) continue;
    const isField = selection.kind === Kind.FIELD;
    if (isField) budget.left--;
    const inner = selection.kind === Kind.FRAGMENT_SPREAD ? fragment!.selectionSet : selection.selectionSet;
    const size = measure(inner, context, fragment ? new Set([...spread, fragment]) : spread, budget);
    depth = Math.max(depth, size.depth + (isField ? 1 : 0));
    fields += size.fields + (isField ? 1 : 0);
  }
  return { depth, fields };
}

function rootFields(set: SelectionSetNode, context: ValidationContext, spread: Set<string>): number {
  let count = 0;
  for (const selection of set.selections) {
    if (selection.kind === Kind.FIELD) count++;
    else if (selection.kind === Kind.INLINE_FRAGMENT) count += rootFields(selection.selectionSet, context, spread);
    else if (!spread.has(selection.name.value)) {
      const fragment = context.getFragment(selection.name.value);
      if (fragment) count += rootFields(fragment.selectionSet, context, new Set([...spread, selection.name.value]));
    }
    if (count > MAX_FIELDS) break;
  }
  return count;
}
