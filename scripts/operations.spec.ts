import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { parse, type DefinitionNode, type DocumentNode } from 'graphql';

interface Operations {
  operationsModule(given: {
    schema: DocumentNode;
    file: string;
    text: string;
    shared?: readonly DefinitionNode[];
  }): Promise<string>;
}
// A script, which has no types.
const script = path.resolve('scripts/local/operations.mjs');
let operationsModule: Operations['operationsModule'];
beforeAll(async () => ({ operationsModule } = (await import(script)) as Operations));

const SCHEMA = `
  scalar Labels
  scalar TableRow
  enum State { running paused }
  type Thing { id: ID! state: State! note: String labels: Labels! rows: [TableRow!]! }
  type Query { thing(id: ID!): Thing }
`;
const made = (text: string): Promise<string> =>
  operationsModule({ schema: parse(SCHEMA), file: 'apps/console/src/kube/operations.graphql', text });

test.each([
  ['a value has the type of the schema', 'query Get { thing(id: 1) { note } }', 'readonly note: string | null'],
  ['an enumeration is its words', 'query Get { thing(id: 1) { state } }', "| 'paused'"],
  ['labels are strings', 'query Get { thing(id: 1) { labels } }', 'readonly labels: Readonly<Record<string, string>>'],
  ['a shape of ours is imported', 'query Get { thing(id: 1) { rows } }', "{ Row as TableRow } from './row.js'"],
  ['variables are typed', 'query Get($id: ID!) { thing(id: $id) { id } }', 'id: string;'],
  [
    'a text has the fragments that it needs, and no more',
    'query GetIt { thing(id: 1) { ...A } } fragment A on Thing { id } fragment B on Thing { note }',
    'export const GET_IT = operation<GetIt, GetItVariables>(\n' +
      '  "query GetIt{thing(id:1){...A}}fragment A on Thing{id}",\n);',
  ],
])('%s', async (_, text, expected) => expect(await made(text)).toContain(expected));

test('a fragment of another file is used, and its type stays there', async () => {
  const file = 'apps/console/src/kube/operations.graphql';
  const shared = parse(
    'fragment A on Thing { id ...B } fragment B on Thing { note } fragment C on Thing { state }',
  ).definitions;
  const text = 'query Get { thing(id: 1) { ...A } }';
  const module = await operationsModule({ schema: parse(SCHEMA), file, text, shared });
  expect(module).toContain('"query Get{thing(id:1){...A}}fragment A on Thing{id ...B}fragment B on Thing{note}"');
  expect(module).toContain('readonly note: string | null');
  expect(module).not.toContain('export type A =');
});

test.each([
  ['a field that is not there', 'query Get { thing(id: 1) { size } }', /Cannot query field "size"/],
  ['a variable of another type', 'query Get($id: String) { thing(id: $id) { id } }', /position expecting type "ID!"/],
  ['no name', '{ thing(id: 1) { id } }', /needs a name|anonymous/i],
])('%s does not fit, and the file is named', async (_, text, expected) => {
  await expect(made(text)).rejects.toThrow(expected);
  await expect(made(text)).rejects.toThrow('apps/console/src/kube/operations.graphql');
});

test('the console has no operation but those of its files', () => {
  const folder = 'apps/console/src';
  const written = (fs.readdirSync(folder, { recursive: true }) as string[]).filter(
    (name) =>
      /\.tsx?$/.test(name) &&
      !/\.(?:spec|generated)\.ts$/.test(name) &&
      /\boperation[<(]/.test(fs.readFileSync(path.join(folder, name), 'utf8')),
  );
  expect(written).toEqual([]);
});
