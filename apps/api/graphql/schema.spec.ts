import 'reflect-metadata';
import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import { GraphQLSchemaBuilderModule, GraphQLSchemaFactory } from '@nestjs/graphql';
import { printSchema } from 'graphql';
import { ALL_RESOLVERS } from './all-resolvers.js';

const FILE = path.join(import.meta.dirname, 'schema.graphql');
const HEAD = '# Printed by schema.spec.ts with RECORD=1; do not edit. The console’s types are made of it.\n\n';

/** The schema as the service has it, made of the decorators alone: nothing is started. */
async function printed(): Promise<string> {
  const app = await NestFactory.createApplicationContext(GraphQLSchemaBuilderModule, { logger: false });
  return `${HEAD}${printSchema(await app.get(GraphQLSchemaFactory).create([...ALL_RESOLVERS]))}\n`;
}

test('schema.graphql is what the resolvers say; RECORD=1 writes it', async () => {
  const schema = await printed();
  if (process.env['RECORD']) fs.writeFileSync(FILE, schema);
  expect(fs.readFileSync(FILE, 'utf8')).toBe(schema);
});
