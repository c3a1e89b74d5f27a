import { ANY, Environment, EvaluationError, toJson, type Type, type Value } from './index.js';

/**
 * The JSON value of an expression, or the message of its error; for specs. `variables` are known to the checker as
 * `types` says, and else as dyn.
 */
export function evaluate(
  text: string,
  variables: Readonly<Record<string, Value>> = {},
  types: Readonly<Record<string, Type>> = {},
): unknown {
  const declared = { ...Object.fromEntries(Object.keys(variables).map((name) => [name, ANY])), ...types };
  const { program, error } = new Environment({ variables: declared }).compile(text);
  if (!program) return error.split('\n')[0];
  try {
    return toJson(program.run((name) => variables[name]).value);
  } catch (failure) {
    if (failure instanceof EvaluationError) return failure.message;
    throw failure;
  }
}
