import type { Program } from '../../machinery/cel/index.js';
import type { StructuralSchema, ValidationRule } from '../schema/structural-schema.js';
import { environmentsOf, type RuleEnvironments } from './types.js';

/** A rule with its programs; `error` says why it could not be compiled. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  readonly program: Program | undefined;
  readonly error: string | undefined;
  readonly message: Program | undefined;
  readonly usesOld: boolean;
}

const compiledBySchema = new WeakMap<StructuralSchema, readonly CompiledRule[]>();

/**
 * The compiled rules of a schema, in the types of `spine`: a rule within allOf is about the value that the schema with
 * the allOf describes. Models apiextensions-apiserver/pkg/apiserver/schema/cel/compilation.go.
 */
export function rulesOf(
  schema: StructuralSchema,
  spine: StructuralSchema,
  isResource: boolean,
): readonly CompiledRule[] {
  const rules = schema['x-kubernetes-validations'];
  if (!rules?.length) return [];
  let compiled = compiledBySchema.get(schema);
  if (!compiled) {
    const environments = environmentsOf(spine, isResource);
    compiledBySchema.set(schema, (compiled = environments ? rules.map((rule) => compileRule(rule, environments)) : []));
  }
  return compiled;
}

function compileRule(rule: ValidationRule, environments: RuleEnvironments): CompiledRule {
  const environment = rule.optionalOldSelf ? environments.optional : environments.plain;
  const { program, error } = environment.compile(rule.rule);
  const message = rule.messageExpression ? environment.compile(rule.messageExpression).program : undefined;
  return { rule, program, error, message, usesOld: program?.uses('oldSelf') ?? false };
}
