import { bytesOf, textOf, type Bytes } from '../../../../engine/kernel/bytes.js';
import { SystemError } from '../../../../engine/kernel/errno.js';
import type { Program } from '../../../../engine/kernel/process/program.js';
import type { Syscalls } from '../../../../engine/kernel/process/syscalls.js';
import { readSmallFile } from '../../../tools/accounts.js';
import type { AnswerParts } from '../../http.js';
import { defineApp, html, json, type AppRequest } from '../app.js';
import {
  blobPath,
  digestOf,
  findManifest,
  hasBlob,
  isDigest,
  listRepositories,
  listTags,
  makeUploadId,
  putBlob,
  putManifest,
  uploadPath,
  storeFile,
} from './store.js';

const VERSION_HEADER = { 'docker-distribution-api-version': 'registry/2.0', 'x-content-type-options': 'nosniff' };
const DEFAULT_TYPE = 'application/vnd.docker.distribution.manifest.v2+json';
const MAX_NAME = 255;
const BUILD = 'go.version=go1.20.8 instance.id=8c4d6ce2 service=registry version=2.8.3';
/** Bytes of one blob. */
const MAX_BLOB = 32 << 20;

const refuse = (code: string, message: string, status: number): AnswerParts => ({
  ...json({ errors: [{ code, message, detail: null }] }, status),
  headers: { ...VERSION_HEADER, 'content-type': 'application/json' },
});
const answer = (value: object): AnswerParts => ({
  ...json(value),
  headers: { ...VERSION_HEADER, 'content-type': 'application/json; charset=utf-8' },
});
const done = (status: number, headers: Readonly<Record<string, string>>): AnswerParts => ({
  status,
  headers: { ...VERSION_HEADER, ...headers },
});

/** The name of a repository, and what of it is meant: `blobs/…`, `manifests/…`, `tags/list`. */
function readRoute(route: Bytes): { name: Bytes; kind: string; rest: Bytes } | undefined {
  const found = ['/blobs/uploads/', '/blobs/', '/manifests/', '/tags/'].flatMap((kind) => {
    const at = route.lastIndexOf(kind);
    return at > 3 ? [{ name: route.slice(4, at), kind: kind.slice(1, -1), rest: route.slice(at + kind.length) }] : [];
  })[0];
  return found && found.name.length <= MAX_NAME && isName(found.name) ? found : undefined;
}

const isName = (name: Bytes): boolean =>
  name.split('/').every((part) => /^[a-z0-9][a-z0-9._-]*$/.test(part) && !/[._-]$/.test(part));

function upload(sys: Syscalls, request: AppRequest, name: Bytes, id: Bytes): AnswerParts {
  const { method, body, query } = request;
  const digest = bytesOf(query.get('digest') ?? '');
  if (method === 'POST' && id === '' && digest === '') return progress(sys, name, makeUploadId(sys), '');
  const isOpen = /^[\da-f-]{36}$/.test(id) && sys.access(uploadPath(name, id), 'r');
  if (!isOpen && !(method === 'POST' && id === ''))
    return refuse('BLOB_UPLOAD_UNKNOWN', 'blob upload unknown to registry', 404);
  if (method === 'PATCH') return progress(sys, name, id, body);
  if (method === 'DELETE') {
    sys.unlink(uploadPath(name, id));
    return done(204, {});
  }
  if (method === 'GET') return done(204, { range: `0-${Math.max(0, sizeOf(sys, uploadPath(name, id)) - 1)}` });
  if (method !== 'PUT' && method !== 'POST') return refuse('UNSUPPORTED', 'The operation is unsupported.', 405);
  const bytes = (isOpen ? readSmallFile(sys, uploadPath(name, id)) : '') + body;
  if (!isDigest(digest) || digestOf(bytes) !== digest)
    return refuse('DIGEST_INVALID', 'provided digest did not match uploaded content', 400);
  putBlob(sys, name, digest, bytes);
  if (isOpen) sys.unlink(uploadPath(name, id));
  return done(201, { location: `/v2/${name}/blobs/${digest}`, 'docker-content-digest': digest });
}

const sizeOf = (sys: Syscalls, path: Bytes): number => sys.stat(path).size;

/** An upload that goes on. */
function progress(sys: Syscalls, name: Bytes, id: Bytes, bytes: Bytes): AnswerParts {
  const path = uploadPath(name, id);
  const before = sys.access(path, '') ? sizeOf(sys, path) : 0;
  if (before + bytes.length > MAX_BLOB) return refuse('SIZE_INVALID', 'the blob is larger than 32 MiB', 413);
  storeFile(sys, path, bytes, true);
  const range = `0-${Math.max(0, before + bytes.length - 1)}`;
  return done(202, { location: `/v2/${name}/blobs/uploads/${id}`, 'docker-upload-uuid': id, range });
}

function blob(sys: Syscalls, { method }: AppRequest, name: Bytes, digest: Bytes): AnswerParts {
  if (method !== 'GET' && method !== 'HEAD') return refuse('UNSUPPORTED', 'The operation is unsupported.', 405);
  if (!hasBlob(sys, name, digest)) return refuse('BLOB_UNKNOWN', 'blob unknown to registry', 404);
  const path = blobPath(digest);
  const headers = { 'content-type': 'application/octet-stream', 'docker-content-digest': digest };
  return { ...done(200, { ...headers, etag: `"${digest}"` }), file: { path, size: sizeOf(sys, path) } };
}

function manifest(sys: Syscalls, request: AppRequest, name: Bytes, reference: Bytes): AnswerParts {
  const { method, body } = request;
  if (method === 'PUT') return storeManifest(sys, name, reference, body);
  if (method !== 'GET' && method !== 'HEAD') return refuse('UNSUPPORTED', 'The operation is unsupported.', 405);
  const digest = findManifest(sys, name, reference);
  if (digest === undefined) return refuse('MANIFEST_UNKNOWN', 'manifest unknown', 404);
  const text = readSmallFile(sys, blobPath(digest));
  const type = (readJson(text) as { mediaType?: string } | undefined)?.mediaType ?? DEFAULT_TYPE;
  return { ...done(200, { 'content-type': type, 'docker-content-digest': digest, etag: `"${digest}"` }), body: text };
}

function readJson(text: Bytes): unknown {
  try {
    return JSON.parse(textOf(text)) as unknown;
  } catch {
    return undefined;
  }
}

/** What a manifest refers to has to be there. */
function storeManifest(sys: Syscalls, name: Bytes, reference: Bytes, body: Bytes): AnswerParts {
  const isTag = /^\w[\w.-]{0,127}$/.test(reference);
  const read = readJson(body) as { schemaVersion?: number; config?: object; layers?: object[] } | null | undefined;
  if (read?.schemaVersion !== 2 || !(isTag || isDigest(reference)))
    return refuse('MANIFEST_INVALID', 'manifest invalid', 400);
  if (isDigest(reference) && digestOf(body) !== reference)
    return refuse('DIGEST_INVALID', 'provided digest did not match uploaded content', 400);
  const parts = [read.config, ...(Array.isArray(read.layers) ? read.layers : [])] as (
    | { digest?: unknown }
    | undefined
  )[];
  const missing = parts.find((one) => one !== undefined && !hasBlob(sys, name, String(one?.digest)));
  if (missing !== undefined) return refuse('MANIFEST_BLOB_UNKNOWN', 'blob unknown to registry', 404);
  const digest = putManifest(sys, name, reference, body);
  return done(201, { location: `/v2/${name}/manifests/${digest}`, 'docker-content-digest': digest });
}

function answerRegistry(request: AppRequest, sys: Syscalls): AnswerParts {
  const { route, method } = request;
  const isReading = method === 'GET' || method === 'HEAD';
  if (route === '/' && isReading) return { status: 200 };
  if (route === '/v2/' && isReading) return answer({});
  if (route === '/v2/_catalog' && isReading) return answer({ repositories: listRepositories(sys).map(textOf) });
  const found = readRoute(route);
  if (found === undefined) return html('404 page not found\n', 404);
  const { name, kind, rest } = found;
  if (kind === 'blobs/uploads') return upload(sys, request, name, rest);
  if (kind === 'blobs') return blob(sys, request, name, rest);
  if (kind === 'manifests') return manifest(sys, request, name, rest);
  const tags = listTags(sys, name).map(textOf);
  return tags.length === 0
    ? refuse('NAME_UNKNOWN', 'repository name not known to registry', 404)
    : answer({ name: textOf(name), tags });
}

/** Distribution's API over what lies in its volume. Left out: deletions, authentication, mounts of blobs. */
const registry = defineApp({
  ports: (_argv, env) => [Number((env['REGISTRY_HTTP_ADDR'] ?? ':5000').split(':').at(-1))],
  readyMs: 200,
  logsTo: 'stderr',
  log: ({ sys }) => [`time="${new Date(sys.now).toISOString()}" level=info msg="listening on [::]:5000" ${BUILD}`],
  answer(request, { sys }) {
    try {
      return answerRegistry(request, sys);
    } catch (error) {
      if (error instanceof SystemError) return refuse('UNKNOWN', `unknown error: ${error.message}`, 500);
      throw error;
    }
  },
});

export const programs: Readonly<Record<string, Program>> = { 'apps:registry': registry };
