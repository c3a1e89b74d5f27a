/** An operation of GraphQL with the types of what it gives and takes: both generated, from the *.graphql files. */
export interface Operation<Data, Variables> {
  readonly text: string;
  /** Never there: carries the types. */
  readonly types?: (variables: Variables) => Data;
}

export const operation = <Data, Variables = Record<string, never>>(text: string): Operation<Data, Variables> => ({
  text,
});
