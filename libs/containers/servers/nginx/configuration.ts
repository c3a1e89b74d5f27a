import type { Bytes } from '../../../engine/kernel/bytes.js';
import { SystemError } from '../../../engine/kernel/errno.js';
import type { Syscalls } from '../../../engine/kernel/process/syscalls.js';
import { readSmallFile } from '../../tools/accounts.js';

/** A directive with where it stands; plain data. */
export type Directive = { name: Bytes; args: Bytes[]; block: Directive[] | null; file: Bytes; line: number };

/** nginx' words after `[emerg]`. */
export class ConfigurationFailure extends Error {}

const MAX_BYTES = 1 << 20;
const MAX_LEVELS = 30;
const MAX_FILES = 200;

const CONTEXTS: Readonly<Record<string, readonly string[]>> = {
  main: [
    'user',
    'worker_processes',
    'error_log',
    'pid',
    'events',
    'http',
    'daemon',
    'include',
    'load_module',
    'stream',
    'master_process',
    'worker_rlimit_nofile',
    'env',
    'pcre_jit',
  ],
  events: ['worker_connections', 'multi_accept', 'use', 'accept_mutex'],
  upstream: [
    'server',
    'least_conn',
    'ip_hash',
    'keepalive',
    'zone',
    'hash',
    'random',
    'keepalive_timeout',
    'keepalive_requests',
  ],
};
/** Directives of http, server and location that are read; `*` ones are accepted and have no effect. */
const HTTP =
  `access_log add_header alias allow auth_basic auth_basic_user_file autoindex charset client_body_buffer_size
  client_body_timeout client_header_timeout client_max_body_size default_type deny error_log error_page etag expires gzip
  gzip_comp_level gzip_disable gzip_http_version gzip_min_length gzip_proxied gzip_static gzip_types gzip_vary http2 if
  include index internal keepalive_requests keepalive_timeout large_client_header_buffers limit_conn limit_conn_zone
  limit_req limit_req_zone listen location log_format log_not_found map proxy_buffer_size proxy_buffering proxy_buffers
  proxy_cache proxy_cache_path proxy_connect_timeout proxy_http_version proxy_intercept_errors proxy_next_upstream
  proxy_pass proxy_read_timeout proxy_redirect proxy_request_buffering proxy_send_timeout proxy_set_header
  proxy_ssl_verify real_ip_header resolver return rewrite root sendfile send_timeout server server_name
  server_names_hash_bucket_size server_tokens set set_real_ip_from ssl_certificate ssl_certificate_key ssl_ciphers
  ssl_prefer_server_ciphers ssl_protocols ssl_session_cache ssl_session_timeout stub_status sub_filter tcp_nodelay
  tcp_nopush try_files types types_hash_max_size underscores_in_headers upstream client_body_temp_path proxy_temp_path
  fastcgi_temp_path uwsgi_temp_path scgi_temp_path fastcgi_pass fastcgi_param fastcgi_index fastcgi_split_path_info
  variables_hash_max_size geo limit_except satisfy error_log proxy_ssl_server_name proxy_hide_header`
    .trim()
    .split(/\s+/);
const FREE = ['types', 'map', 'geo', 'stream'];
const BLOCKS = [
  'events',
  'http',
  'server',
  'location',
  'upstream',
  'types',
  'map',
  'geo',
  'if',
  'stream',
  'limit_except',
];

/** Reads a configuration with all that it includes. Throws ConfigurationFailure. */
export function readConfiguration(sys: Syscalls, path: Bytes): Directive[] {
  const reader = new Reader(sys);
  const directives = reader.readFile(path);
  checkAll(directives, 'main');
  return directives;
}

/** The directives that stand directly in a block. */
export const find = (block: readonly Directive[] | null, name: string): Directive | undefined =>
  block?.findLast((directive) => directive.name === name);

export const findAll = (block: readonly Directive[] | null, name: string): readonly Directive[] =>
  block?.filter((directive) => directive.name === name) ?? [];

class Reader {
  private files = 0;

  constructor(private readonly sys: Syscalls) {}

  readFile(path: Bytes): Directive[] {
    if (++this.files > MAX_FILES) throw new ConfigurationFailure(`too many files are included`);
    try {
      this.sys.stat(path);
    } catch (error) {
      if (!(error instanceof SystemError)) throw error;
      const number = error.code === 'ENOENT' ? 2 : 13;
      throw new ConfigurationFailure(`open() "${path}" failed (${number}: ${error.message})`);
    }
    return new Parser(readSmallFile(this.sys, path).slice(0, MAX_BYTES), path, this).parseBlock(0, false);
  }

  /** The files of an include, in the order of their names. */
  include(pattern: Bytes, from: Directive): Directive[] {
    const path = pattern.startsWith('/') ? pattern : `/etc/nginx/${pattern}`;
    const at = path.lastIndexOf('/');
    const [directory, name] = [path.slice(0, at), path.slice(at + 1)];
    if (!name.includes('*')) return this.includeOne(path, from);
    const parts = name.split('*');
    const [first = '', last = ''] = [parts[0], parts.at(-1)];
    const fits = (entry: Bytes): boolean =>
      entry.length >= first.length + last.length && entry.startsWith(first) && entry.endsWith(last);
    const names = this.sys.access(directory, 'r') ? this.sys.readDirectory(directory) : [];
    return names
      .filter((entry) => fits(entry) && !entry.startsWith('.'))
      .flatMap((entry) => this.readFile(`${directory}/${entry}`));
  }

  private includeOne(path: Bytes, { file, line }: Directive): Directive[] {
    try {
      return this.readFile(path);
    } catch (error) {
      const isMissing = error instanceof ConfigurationFailure && error.message.startsWith(`open() "${path}"`);
      throw isMissing ? new ConfigurationFailure(`${error.message} in ${file}:${line}`) : error;
    }
  }
}

class Parser {
  private at = 0;
  private line = 1;

  constructor(
    private readonly text: Bytes,
    private readonly file: Bytes,
    private readonly reader: Reader,
  ) {}

  parseBlock(level: number, isInner: boolean): Directive[] {
    if (level > MAX_LEVELS) throw this.failure('too many nested blocks');
    const found: Directive[] = [];
    let words: Bytes[] = [];
    for (;;) {
      this.skipBlanks();
      const char = this.text[this.at];
      if (char === undefined) {
        if (words.length > 0) throw this.failure('unexpected end of file, expecting ";" or "}"');
        if (isInner) throw this.failure('unexpected end of file, expecting "}"');
        return found;
      }
      if (char === '}') {
        if (words.length > 0 || !isInner) throw this.failure('unexpected "}"');
        this.at++;
        return found;
      }
      if (char !== ';' && char !== '{') {
        words.push(this.readWord());
        continue;
      }
      if (words.length === 0) throw this.failure(`unexpected "${char}"`);
      this.at++;
      const [name = '', ...args] = words;
      const directive: Directive = { name, args, block: null, file: this.file, line: this.line };
      words = [];
      if (char === '{') {
        if (!BLOCKS.includes(name) && !FREE.includes(name) && isKnown(name)) {
          throw this.failure(`directive "${name}" is not terminated by ";"`);
        }
        directive.block = this.parseBlock(level + 1, true);
      } else if (BLOCKS.includes(name) && name !== 'server')
        throw this.failure(`directive "${name}" has no opening "{"`);
      if (name === 'include' && char === ';') found.push(...this.reader.include(args[0] ?? '', directive));
      else found.push(directive);
    }
  }

  private failure(message: string): ConfigurationFailure {
    return new ConfigurationFailure(`${message} in ${this.file}:${this.line}`);
  }

  private skipBlanks(): void {
    for (; this.at < this.text.length; this.at++) {
      const char = this.text[this.at]!;
      if (char === '\n') this.line++;
      if (char === '#') {
        const end = this.text.indexOf('\n', this.at);
        this.at = (end < 0 ? this.text.length : end) - 1;
      } else if (!' \t\r\n'.includes(char)) return;
    }
  }

  private readWord(): Bytes {
    const quote = this.text[this.at]!;
    const isQuoted = quote === '"' || quote === "'";
    let word = '';
    for (this.at += isQuoted ? 1 : 0; this.at < this.text.length; this.at++) {
      const char = this.text[this.at]!;
      if (isQuoted ? char === quote : ' \t\r\n;'.includes(char) || (char === '{' && !word.endsWith('$'))) break;
      if (char === '\n') this.line++;
      if (char === '\\' && this.at + 1 < this.text.length) {
        const next = this.text[++this.at]!;
        word += { n: '\n', t: '\t', r: '\r', '"': '"', "'": "'", '\\': '\\' }[next] ?? `\\${next}`;
      } else word += char;
    }
    if (isQuoted) this.at++;
    return word;
  }
}

const isKnown = (name: Bytes): boolean =>
  HTTP.includes(name) || Object.values(CONTEXTS).some((names) => names.includes(name));

function checkAll(directives: readonly Directive[], context: string): void {
  for (const directive of directives) {
    const { name, args, block, file, line } = directive;
    const fail = (message: string): never => {
      throw new ConfigurationFailure(`${message} in ${file}:${line}`);
    };
    if (!isKnown(name)) fail(`unknown directive "${name}"`);
    const allowed = CONTEXTS[context] ?? HTTP;
    if (!allowed.includes(name)) fail(`"${name}" directive is not allowed here`);
    if (context === 'server' && name === 'server') fail(`"server" directive is not allowed here`);
    if (context === 'http' && ['location', 'listen', 'return', 'proxy_pass', 'try_files', 'alias'].includes(name)) {
      fail(`"${name}" directive is not allowed here`);
    }
    if (['listen', 'root', 'index', 'return', 'proxy_pass', 'server_name'].includes(name) && args.length === 0) {
      fail(`invalid number of arguments in "${name}" directive`);
    }
    if (name === 'location' && (args.length === 0 || args.length > 2)) {
      fail('invalid number of arguments in "location" directive');
    }
    if (block !== null && !FREE.includes(name)) checkAll(block, name === 'limit_except' ? 'location' : name);
  }
  if (context === 'main' && find(directives, 'events') === undefined) {
    throw new ConfigurationFailure('no "events" section in configuration');
  }
}
