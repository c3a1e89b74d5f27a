#!/usr/bin/env node
// Part of `npm run generate`: types and texts of the console's GraphQL operations.
import { generateOperations } from './local/operations.mjs';
import { Plain } from './local/paths.mjs';

try {
  await generateOperations();
} catch (error) {
  console.error(error instanceof Plain ? error.message : error);
  process.exitCode = 1;
}
