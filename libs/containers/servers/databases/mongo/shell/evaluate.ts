import { fieldOf, isDocument, tagOf, type Document, type Value } from '../data/value.js';
import { makeId } from '../server/own.js';
import { collectionMethods } from './collection.js';
import { cursorMethods, fetchAll } from './cursor.js';
import { databaseMethods } from './database.js';
import { formatSize, inspect, printValue } from './inspect.js';
import { NOTHING, ScriptFailure, thing, valueOf, type Shell, type Thing } from './thing.js';
import { SyntaxFailure, type Node } from './parse.js';

const GLOBALS = [
  ...['print', 'printjson', 'ObjectId', 'ISODate', 'Date', 'NumberInt', 'NumberLong', 'Long', 'Int32', 'Double'],
  ...['use', 'show', 'it', 'exit', 'quit', 'JSON', 'EJSON', 'version', 'console', 'passwordPrompt'],
];

export function evaluate(shell: Shell, node: Node): Thing {
  switch (node.type) {
    case 'value':
      return thing(node.value);
    case 'list':
      return thing(node.items.map((item) => valueOf(evaluate(shell, item)) ?? null));
    case 'object':
      return thing(
        Object.fromEntries(node.entries.map(([key, inner]) => [key, valueOf(evaluate(shell, inner)) ?? null])),
      );
    case 'name':
      return nameOf(shell, node.name);
    case 'assign': {
      const made = evaluate(shell, node.value);
      const value = made.kind === 'cursor' ? fetchAll(shell, made) : valueOf(made);
      Object.defineProperty(shell.variables, node.name, {
        value: value ?? null,
        enumerable: true,
        writable: true,
        configurable: true,
      });
      return NOTHING;
    }
    case 'member':
      return memberOf(shell, evaluate(shell, node.of), String(valueOf(evaluate(shell, node.name))));
    case 'call':
      return call(
        shell,
        evaluate(shell, node.of),
        node.args.map((one) => evaluate(shell, one)),
      );
  }
}

function nameOf(shell: Shell, name: string): Thing {
  if (Object.hasOwn(shell.variables, name)) return thing(shell.variables[name]);
  if (name === 'db') return { kind: 'database', name: shell.database };
  if (name === 'rs') return { kind: 'replication' };
  if (GLOBALS.includes(name)) return { kind: 'global', name };
  throw new ScriptFailure(`ReferenceError: ${name} is not defined`);
}

function memberOf(shell: Shell, of: Thing, name: string): Thing {
  if (of.kind === 'value') return fieldOfValue(of.value, name);
  if (of.kind === 'database' && !Object.hasOwn(databaseMethods, name))
    return { kind: 'collection', database: of.name, name };
  if (of.kind === 'collection' && !Object.hasOwn(collectionMethods, name))
    return { kind: 'collection', database: of.database, name: `${of.name}.${name}` };
  if (of.kind === 'cursor' && !Object.hasOwn(cursorMethods, name)) {
    const list = fetchAll(shell, of);
    return fieldOfValue(list, name);
  }
  return { kind: 'method', of, name };
}

function fieldOfValue(value: Value, name: string): Thing {
  if (name === 'length' && (Array.isArray(value) || typeof value === 'string')) return thing(value.length);
  if (Array.isArray(value) && /^\d+$/.test(name)) return thing(value[Number(name)]);
  const found = isDocument(value) ? fieldOf(value, name) : undefined;
  return found === undefined && typeof value === 'object' ? { kind: 'method', of: thing(value), name } : thing(found);
}

function call(shell: Shell, of: Thing, args: readonly Thing[]): Thing {
  if (of.kind === 'global') return callGlobal(shell, of.name, args);
  if (of.kind === 'collection')
    throw new ScriptFailure(
      `TypeError: ${of.database === shell.database ? 'db' : of.database}.${of.name} is not a function`,
    );
  if (of.kind !== 'method') throw new ScriptFailure('TypeError: the expression is not a function');
  const { of: own, name } = of;
  if (own.kind === 'database') return databaseMethods[name]!(shell, own, args);
  if (own.kind === 'collection') return collectionMethods[name]!(shell, own, args);
  if (own.kind === 'cursor') return cursorMethods[name]!(shell, own, args);
  if (own.kind === 'replication') return callReplication(shell, name);
  if (own.kind === 'global' && (own.name === 'JSON' || own.name === 'EJSON') && name === 'stringify')
    return stringify(own.name, args);
  if (own.kind === 'global' && own.name === 'console' && name === 'log') return callGlobal(shell, 'print', args);
  if (own.kind === 'value' && tagOf(own.value) === '$oid' && name === 'toString')
    return thing(String((own.value as Document)['$oid']));
  throw new ScriptFailure(`TypeError: ${name} is not a function, or not simulated`);
}

function callReplication(shell: Shell, name: string): Thing {
  const commands: Readonly<Record<string, string>> = {
    status: 'replSetGetStatus',
    initiate: 'replSetInitiate',
    conf: 'replSetGetConfig',
  };
  const command = commands[name];
  if (command === undefined) throw new ScriptFailure(`TypeError: rs.${name} is not simulated`);
  return thing(shell.ask('admin', { [command]: 1 }));
}

const stringify = (how: string, [first, , indent]: readonly Thing[]): Thing => {
  const plain = (value: Value): Value =>
    tagOf(value) === '$oid' && how === 'JSON'
      ? (value as Document)['$oid']!
      : Array.isArray(value)
        ? value.map(plain)
        : isDocument(value)
          ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, plain(one)]))
          : value;
  return thing(JSON.stringify(plain(valueOf(first) ?? null), null, Number(valueOf(indent) ?? 0)));
};

function callGlobal(shell: Shell, name: string, args: readonly Thing[]): Thing {
  const [first] = args;
  switch (name) {
    case 'use':
      shell.database = String(valueOf(first));
      return thing(`switched to db ${shell.database}`);
    case 'show':
      return show(shell, String(valueOf(first)));
    case 'it':
      return thing('no cursor');
    case 'exit':
    case 'quit':
      shell.exit(Number(valueOf(first) ?? 0));
      return NOTHING;
    case 'print':
      shell.print(
        `${args.map((one) => printValue(one.kind === 'cursor' ? fetchAll(shell, one) : valueOf(one))).join(' ')}\n`,
      );
      return NOTHING;
    case 'printjson':
      shell.print(`${inspect(first?.kind === 'cursor' ? fetchAll(shell, first) : (valueOf(first) ?? null))}\n`);
      return NOTHING;
    case 'ObjectId': {
      const given = valueOf(first);
      if (given !== undefined && !/^[\da-f]{24}$/i.test(String(given)))
        throw new ScriptFailure(
          'BSONError: input must be a 24 character hex string, 12 byte Uint8Array, or an integer',
        );
      return thing(given === undefined ? makeId(shell.sys) : { $oid: String(given).toLowerCase() });
    }
    case 'ISODate':
    case 'Date': {
      const given = valueOf(first);
      const at = given === undefined ? shell.sys.now : new Date(given as string | number).getTime();
      if (Number.isNaN(at)) throw new ScriptFailure('RangeError: Invalid time value');
      return thing({ $date: at });
    }
    case 'NumberLong':
    case 'Long':
      return thing({ $numberLong: String(Math.trunc(Number(valueOf(first) ?? 0)) || 0) });
    case 'version':
      return thing('2.5.9');
    case 'NumberInt':
    case 'Int32':
    case 'Double':
      return thing(Number(valueOf(first) ?? 0));
    default:
      throw new ScriptFailure(`TypeError: ${name} is not a function, or not simulated`);
  }
}

function show(shell: Shell, what: string): Thing {
  if (what === 'dbs' || what === 'databases') {
    const { databases } = shell.ask('admin', { listDatabases: 1, nameOnly: false });
    const rows = (databases as Document[]).map(({ name, sizeOnDisk }): [string, string] => [
      String(name),
      formatSize(Number((sizeOnDisk as Document)['$numberLong'])),
    ]);
    const width = Math.max(...rows.map(([name]) => name.length));
    const sizes = Math.max(...rows.map(([, size]) => size.length));
    return thing(rows.map(([name, size]) => `${name.padEnd(width)}  ${size.padStart(sizes)}`).join('\n'));
  }
  const database: Thing = { kind: 'database', name: shell.database };
  if (what === 'collections' || what === 'tables')
    return thing((valueOf(databaseMethods['getCollectionNames']!(shell, database, [])) as string[]).join('\n'));
  if (what === 'users') return databaseMethods['getUsers']!(shell, database, []);
  throw new SyntaxFailure(`show ${what} is not simulated`);
}
