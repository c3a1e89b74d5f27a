import 'reflect-metadata';
import { expect, test } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import { Args, GraphQLSchemaBuilderModule, GraphQLSchemaFactory, Query, Resolver } from '@nestjs/graphql';
import { printType, type GraphQLSchema } from 'graphql';
import { z } from 'zod';
import { inputType, objectType } from './zod-types.js';

const Part = z.object({ size: z.number(), tags: z.array(z.string()) });
const Maker = z.object({ name: z.string() }).meta({ id: 'Maker' });
const Widget = objectType(
  'Widget',
  z.object({
    id: z.string().meta({ description: 'Its name.' }),
    count: z.int(),
    bytes: z.int().min(0).meta({ format: 'int64' }).optional(),
    isBig: z.boolean(),
    color: z.enum(['red', 'blue']),
    note: z.string().optional(),
    parts: z.array(Part),
    makers: z.array(Maker).meta({ description: 'All.' }),
    labels: z.record(z.string(), z.string()),
    anything: z.union([z.int(), z.string()]),
  }),
);
const NewWidget = inputType('NewWidget', z.object({ id: z.string(), count: z.int().default(1), part: Part }));

@Resolver()
class Widgets {
  @Query(() => Widget)
  widget(@Args('input', { type: () => NewWidget }) input: unknown): unknown {
    return input;
  }
}

async function buildSchema(): Promise<GraphQLSchema> {
  const app = await NestFactory.createApplicationContext(GraphQLSchemaBuilderModule, { logger: false });
  const schema = await app.get(GraphQLSchemaFactory).create([Widgets]);
  await app.close();
  return schema;
}

test.each([
  [
    'Widget',
    `type Widget {
  """Its name."""
  id: String!
  count: Int!
  bytes: Long
  isBig: Boolean!
  color: WidgetColor!
  note: String
  parts: [WidgetParts!]!

  """All."""
  makers: [Maker!]!
  labels: Labels!
  anything: JSON!
}`,
  ],
  ['WidgetParts', 'type WidgetParts {\n  size: Float!\n  tags: [String!]!\n}'],
  ['WidgetColor', 'enum WidgetColor {\n  red\n  blue\n}'],
  ['NewWidget', 'input NewWidget {\n  id: String!\n  count: Int\n  part: NewWidgetPart!\n}'],
])('%s is printed from its schema', async (name, expected) => {
  expect(printType((await buildSchema()).getType(name)!)).toBe(expected);
});

test('a type is made once', () => {
  expect(objectType('Widget', z.object({}))).toBe(Widget);
});
