import { GraphQLError, GraphQLScalarType, Kind, type ValueNode } from 'graphql';

const jsonScalar = (name: string, description: string): GraphQLScalarType =>
  new GraphQLScalarType({
    name,
    description,
    serialize: (value) => value,
    parseValue: (value) => value,
    parseLiteral: (node, variables) => literal(node, variables ?? {}),
  });

/** Any JSON value: Kubernetes objects as they are on the wire. */
export const Json = jsonScalar('JSON', 'Any JSON value.');

/** What is told, never taken: JSON of one shape, in one piece, for it comes by the thousand. */
export const Labels = jsonScalar('Labels', 'An object whose values are strings.');
export const TableRow = jsonScalar(
  'TableRow',
  '`{key, name, namespace, uid, version, created, deleting, labels, cells}`: `key` is "NAMESPACE/NAME", `version` is the object\'s resourceVersion, `cells` are in the order of the columns.',
);
export const PictureRows = jsonScalar('PictureRows', 'Objects, each as it is now: docs/PICTURE.md has the rows.');

/** A revision or bytes: more than an Int has. */
export const Long = new GraphQLScalarType<number, number>({
  name: 'Long',
  description: 'A whole number up to 2^53 - 1 as JSON has it, such as a revision.',
  serialize: whole,
  parseValue: whole,
  parseLiteral: (node) => whole(node.kind === Kind.INT ? Number(node.value) : undefined),
});

function whole(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
  throw new GraphQLError(
    `Long cannot represent ${JSON.stringify(value) ?? 'this'}: it is a whole number up to 2^53 - 1`,
  );
}

function literal(node: ValueNode, variables: Readonly<Record<string, unknown>>): unknown {
  switch (node.kind) {
    case Kind.INT:
    case Kind.FLOAT:
      return Number(node.value);
    case Kind.OBJECT:
      return Object.fromEntries(node.fields.map((f) => [f.name.value, literal(f.value, variables)]));
    case Kind.LIST:
      return node.values.map((v) => literal(v, variables));
    case Kind.NULL:
      return null;
    case Kind.VARIABLE:
      return variables[node.name.value];
    default:
      return node.value;
  }
}
