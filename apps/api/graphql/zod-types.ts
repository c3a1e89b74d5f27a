import { Field, Float, InputType, Int, ObjectType, registerEnumType, type ReturnTypeFunc } from '@nestjs/graphql';
import { z } from 'zod';
import { Json, Labels, Long } from './json.scalar.js';

type Shape = z.ZodObject;
type Make = (name: string) => ClassDecorator;
type Class = new () => object;

interface FieldType {
  readonly type: ReturnTypeFunc;
  readonly nullable: boolean;
}

/**
 * A GraphQL object type of a zod object, so that one schema of a noun serves REST and GraphQL. A noun inside of another
 * is the type of its own name.
 */
export const objectType = (name: string, schema: Shape): Class =>
  defineType(
    name,
    schema,
    (n) => ObjectType(n),
    (inner, noun) => objectType(noun.meta()?.id ?? inner, noun),
  );

/** A GraphQL input type of a zod object; fields that have a default are optional. */
export const inputType = (name: string, schema: Shape): Class =>
  defineType(name, schema, (n) => InputType(n), inputType);

// oxlint-disable-next-line house/no-module-state -- the platform's own nouns
const made = new Map<string, Class>();

function defineType(name: string, schema: Shape, make: Make, nested: (name: string, schema: Shape) => Class): Class {
  const known = made.get(name);
  if (known) return known;
  const type = { [name]: class {} }[name] as Class;
  made.set(name, type);
  for (const [field, value] of Object.entries(schema.shape)) {
    const { type: of, nullable } = fieldType(
      `${name}${field[0]!.toUpperCase()}${field.slice(1)}`,
      value as z.ZodType,
      nested,
    );
    const description = (value as z.ZodType).meta()?.description;
    Field(of, { nullable, description })(type.prototype as object, field);
  }
  make(name)(type);
  return type;
}

function fieldType(name: string, schema: z.ZodType, nested: (name: string, schema: Shape) => Class): FieldType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return { ...fieldType(name, schema.unwrap() as z.ZodType, nested), nullable: true };
  }
  return { type: plainType(name, schema, nested), nullable: false };
}

function plainType(name: string, schema: z.ZodType, nested: (name: string, schema: Shape) => Class): ReturnTypeFunc {
  if (schema instanceof z.ZodString) return () => String;
  if (schema instanceof z.ZodBoolean) return () => Boolean;
  if (schema instanceof z.ZodNumber) return numberType(schema);
  if (schema instanceof z.ZodObject) {
    const type = nested(name, schema);
    return () => type;
  }
  if (schema instanceof z.ZodArray) {
    const item = plainType(name, schema.element as z.ZodType, nested);
    return (of) => [item(of)] as ReturnType<ReturnTypeFunc>;
  }
  if (schema instanceof z.ZodEnum) {
    const values = Object.fromEntries(schema.options.map((o) => [String(o), String(o)]));
    registerEnumType(values, { name });
    return () => values;
  }
  if (schema instanceof z.ZodRecord && schema.valueType instanceof z.ZodString && nested !== inputType)
    return () => Labels;
  // Unions and maps have no GraphQL form: they are JSON, and zod still validates them.
  return () => Json;
}

function numberType(schema: z.ZodNumber): ReturnTypeFunc {
  if (schema.meta()?.['format'] === 'int64') return () => Long;
  return schema.format === 'safeint' ? () => Int : () => Float;
}
