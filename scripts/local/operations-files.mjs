// Where the schema and the console's operations are; without packages, which may not be installed yet.
import fs from 'node:fs';
import path from 'node:path';
import { root } from './paths.mjs';

export const SCHEMA = 'apps/api/graphql/schema.graphql';
export const CONSOLE = 'apps/console/src';

/** The files of operations, from the root. */
export const operationFiles = () =>
  fs
    .readdirSync(path.join(root, CONSOLE), { recursive: true })
    .filter((name) => name.endsWith('.graphql'))
    .map((name) => path.join(CONSOLE, name))
    .sort();

export const generatedFile = (file) => file.replace(/\.graphql$/, '.generated.ts');
