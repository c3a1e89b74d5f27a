import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { buildSchema } from 'graphql';
import { shareService } from '../../../libs/testkit/shared-service.js';

const FILE = path.join(import.meta.dirname, 'schema.graphql');
const service = shareService();

test('what is bundled serves the types of schema.graphql: they are named after their classes', async () => {
  const query = '{ __schema { types { name } } }';
  const { data } = await service().call<{ data: { __schema: { types: readonly { name: string }[] } } }>(
    'POST',
    '/graphql',
    { query },
  );
  const expected = Object.keys(buildSchema(fs.readFileSync(FILE, 'utf8')).getTypeMap());
  expect(data.__schema.types.map(({ name }) => name).sort()).toEqual(expected.sort());
});
