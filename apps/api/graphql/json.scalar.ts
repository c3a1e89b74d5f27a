import { GraphQLScalarType, Kind, type ValueNode } from 'graphql';

/** Any JSON value: Kubernetes objects as they are on the wire. */
export const Json = new GraphQLScalarType({
  name: 'JSON',
  description: 'Any JSON value.',
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: (node, variables) => literal(node, variables ?? {}),
});

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
