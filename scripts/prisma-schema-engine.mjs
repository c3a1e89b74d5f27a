#!/usr/bin/env node
// Prisma's schema engine on WebAssembly: the same command line and the same JSON-RPC over stdio as the native binary,
// which would have to be downloaded at install. Prisma runs it through PRISMA_SCHEMA_ENGINE_BINARY.
import fs from 'node:fs';
import readline from 'node:readline';
import { createRequire } from 'node:module';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';

const require = createRequire(import.meta.url);
const args = process.argv.slice(2);
const flags = (name) => args.flatMap((arg, i) => (arg === name ? [args[i + 1]] : []));
const datasource = JSON.parse(flags('--datasource')[0] ?? '{}');

const PG_CHAR_OID = 18;
const PG_BPCHAR_OID = 1042;

async function withClient(url, work) {
  const client = new pg.Client({ connectionString: String(url) });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const withDatabase = (name) => {
  const url = new URL(datasource.url);
  url.pathname = `/${name}`;
  return url;
};

/** `cli can-connect-to-database`, `cli create-database`: what prisma asks before it migrates. */
async function answerCli(command) {
  try {
    if (command === 'can-connect-to-database') await withClient(datasource.url, () => undefined);
    if (command === 'create-database') {
      const name = decodeURIComponent(new URL(datasource.url).pathname.slice(1));
      await withClient(withDatabase('postgres'), (client) =>
        client.query(`create database ${client.escapeIdentifier(name)}`),
      );
    }
    return 0;
  } catch (error) {
    const code = error.code === '3D000' ? 'P1003' : 'P1001';
    const record = {
      timestamp: new Date().toISOString(),
      level: 'ERROR',
      fields: { message: error.message, error_code: code },
      target: 'schema_engine',
    };
    process.stderr.write(`${JSON.stringify(record)}\n`);
    return 1;
  }
}

/** The adapter does not know pg_catalog's one-byte "char"; as bpchar it reads the same. */
function readingCatalogChars(adapter) {
  const queryable = Object.getPrototypeOf(Object.getPrototypeOf(adapter));
  if (queryable.readsCatalogChars) return adapter;
  const perform = queryable.performIO;
  queryable.performIO = async function (query) {
    const result = await perform.call(this, query);
    for (const field of result.fields ?? []) if (field.dataTypeID === PG_CHAR_OID) field.dataTypeID = PG_BPCHAR_OID;
    return result;
  };
  queryable.readsCatalogChars = true;
  return adapter;
}

/** The adapter cuts scripts at every semicolon, also in comments and functions; PostgreSQL takes a script whole. */
function runningScriptsWhole(adapter) {
  adapter.executeScript = async (script) => void (await adapter.client.query(script).catch((e) => adapter.onError(e)));
  return adapter;
}

class Factory extends PrismaPg {
  async connect() {
    return runningScriptsWhole(readingCatalogChars(await super.connect()));
  }

  /** A database that `migrate dev` replays the migrations in; dropped when the engine lets go of it. */
  async connectToShadowDb() {
    const given = datasource.shadowDatabaseUrl;
    if (given) return new Factory({ connectionString: given }).connect();
    const name = `prisma_shadow_${crypto.randomUUID().slice(0, 8)}`;
    await withClient(datasource.url, (client) => client.query(`create database "${name}"`));
    const shadow = await new Factory({ connectionString: String(withDatabase(name)) }).connect();
    const dispose = shadow.dispose.bind(shadow);
    shadow.dispose = async () => {
      await dispose();
      await withClient(datasource.url, (client) => client.query(`drop database if exists "${name}" with (force)`));
    };
    return shadow;
  }
}

async function createEngine() {
  const { bindMigrationAwareSqlAdapterFactory } = await import('@prisma/driver-adapter-utils');
  const background = await import('@prisma/schema-engine-wasm/schema_engine_bg');
  const file = require.resolve('@prisma/schema-engine-wasm/schema_engine_bg').replace(/\.js$/, '.wasm');
  const instance = new WebAssembly.Instance(new WebAssembly.Module(fs.readFileSync(file)), {
    './schema_engine_bg.js': background,
  });
  background.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  globalThis.PRISMA_WASM_PANIC_REGISTRY = { set_message() {} };
  const datamodels = flags('--datamodels').map((name) => [name, fs.readFileSync(name, 'utf8')]);
  const factory = bindMigrationAwareSqlAdapterFactory(new Factory({ connectionString: datasource.url }));
  return background.SchemaEngine.new({ datamodels: datamodels.length ? datamodels : undefined }, () => {}, factory);
}

const send = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

function rpcError(error) {
  let detail;
  try {
    detail = JSON.parse(error.message);
  } catch {
    detail = {};
  }
  const data = {
    is_panic: false,
    message: detail.message ?? error.message,
    error_code: detail.error_code ?? error.code ?? '',
    meta: detail.meta ?? {},
  };
  return { code: 4466, message: 'An error happened. Check the data field for details.', data };
}

let engine;
async function answer(line) {
  const request = JSON.parse(line);
  if (request.method === undefined) return;
  try {
    engine ??= createEngine();
    const method = request.method === 'getDatabaseVersion' ? 'version' : request.method;
    let result = (await (await engine)[method](request.params)) ?? {};
    if (method === 'diff' && result.stdout) {
      send({ id: 1_000_000, method: 'print', params: { content: result.stdout } });
      result = { ...result, stdout: null };
    }
    send({ id: request.id, result });
  } catch (error) {
    send({ id: request.id, error: rpcError(error) });
  }
}

if (args.includes('--version')) {
  console.log('schema-engine-cli wasm');
} else if (args.includes('cli')) {
  process.exitCode = await answerCli(args[args.indexOf('cli') + 1]);
} else {
  let last = Promise.resolve();
  readline
    .createInterface({ input: process.stdin })
    .on('line', (line) => (last = last.then(() => answer(line))))
    .on('close', () => last.then(() => process.exit(0)));
}
