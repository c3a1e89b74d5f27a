import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

export type SqlValue = number | string | Uint8Array | bigint | null;

export interface SqlStatement {
  step(): boolean;
  get(params?: null, config?: { useBigInt?: boolean }): SqlValue[];
  getColumnNames(): string[];
  free(): boolean;
}
/** What is used of sql.js' Database. */
export interface SqlDatabase {
  /** The address of its struct sqlite3. */
  readonly db: number;
  prepare(sql: string): SqlStatement;
  create_function(name: string, run: (...args: never[]) => unknown): unknown;
  getRowsModified(): number;
  export(): Uint8Array;
  close(): void;
}

/** Fields of struct sqlite3 of SQLite 3.49 on 32 bits, by their offset. */
const LIMIT_LENGTH = 120;
const PROGRESS = 372;
const PROGRESS_INTERVAL = 380;
const DEFAULT_LENGTH = 1_000_000_000;
const LENGTH = 1 << 20;
const INTERVAL = 1_000;
/** (module (import "e" "f" (func (param i32) (result i32))) (export "f" (func 0))) */
const WRAPPER = [
  0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, 6, 1, 0x60, 1, 0x7f, 1, 0x7f, 2, 7, 1, 1, 0x65, 1, 0x66, 0, 0, 7, 5, 1, 1,
  0x66, 0, 0,
];

interface WasmExports {
  readonly [name: string]: unknown;
}
interface SqlJs {
  Database: new (bytes?: Uint8Array) => SqlDatabase;
  HEAP32: Int32Array;
}
/** The parts of the platform's WebAssembly that no library of types describes here. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: WasmExports };
  readonly Table: new (...args: never[]) => {
    grow(by: number): number;
    set(at: number, value: unknown): void;
  };
};

/** SQLite as an instance of its own, which counts the work of its statements. */
export class SqliteModule {
  private readonly js: SqlJs;
  private readonly callback: number;
  /** Thousands of operations of SQLite's machine since `reset`. */
  private spent = 0;
  private most = 0;

  private constructor(compiled: object, init: (module: object) => unknown) {
    let exports: WasmExports = {};
    const js = {
      instantiateWasm(imports: object, done: (instance: unknown, module: object) => void): WasmExports {
        const instance = new WebAssembly.Instance(compiled, imports);
        ({ exports } = instance);
        done(instance, compiled);
        return exports;
      },
    };
    // Its promise tells nothing more: the module is whole when the call returns.
    void init(js);
    this.js = js as unknown as SqlJs;
    const table = Object.values(exports).find((value) => value instanceof WebAssembly.Table);
    if (table === undefined || (this.js as Partial<SqlJs>).Database === undefined)
      throw new Error('sql.js is not loaded at once');
    const progress = (): number => (++this.spent > this.most ? 1 : 0);
    const wrapper = new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.from(WRAPPER)), { e: { f: progress } });
    const known = table as InstanceType<typeof WebAssembly.Table>;
    this.callback = known.grow(1);
    known.set(this.callback, wrapper.exports['f']);
  }

  /** Reads the package once per call; throws when it is not the version that the offsets belong to. */
  static load(): SqliteModule {
    const require = createRequire(import.meta.url);
    const compiled = new WebAssembly.Module(readFileSync(require.resolve('sql.js/dist/sql-wasm.wasm')));
    const path = require.resolve('sql.js/dist/sql-wasm.js');
    // sql.js gives every caller the same instance: one that has failed must be made anew.
    delete require.cache[path];
    return new SqliteModule(compiled, require(path) as (module: object) => unknown);
  }

  /** An empty database, or the one of a file's bytes. */
  open(bytes?: Uint8Array): SqlDatabase {
    const database = new this.js.Database(bytes);
    this.bound(database);
    return database;
  }

  /** Holds the handle to the limits: after `export` it is a new one. */
  bound({ db }: SqlDatabase): void {
    const heap = this.js.HEAP32;
    if (heap[(db + LIMIT_LENGTH) >> 2] !== DEFAULT_LENGTH) throw new Error('sql.js is another version');
    heap[(db + LIMIT_LENGTH) >> 2] = LENGTH;
    heap[(db + PROGRESS) >> 2] = this.callback;
    heap[(db + PROGRESS_INTERVAL) >> 2] = INTERVAL;
  }

  /** Statements from here on are interrupted after so many thousand operations. */
  reset(most: number): void {
    this.spent = 0;
    this.most = most;
  }

  get work(): number {
    return this.spent;
  }
}
