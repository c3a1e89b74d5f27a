import type { ApiRequest, Kind, KubeObject } from '@terrarium/engine';
import { encodeProtobuf } from '../../engine/schema/index.js';
import { customDefinition } from './custom-definitions.js';
import type { Dice } from './dice.js';
import { encodeSafely, queryOf, scrambled } from './urls.js';
import { anything, mutated, NAMES, nasty, noisy, objectOf, pointer, text, type Fields, type Json } from './values.js';

const ADMIN = { name: 'kubernetes-admin', groups: ['system:masters', 'system:authenticated'] };
const JSON_TYPE = 'application/json';
const PROTOBUF = 'application/vnd.kubernetes.protobuf';
const CBOR_PATCH = 'application/apply-patch+cbor';
const PATCHES = [
  'application/merge-patch+json',
  'application/strategic-merge-patch+json',
  'application/json-patch+json',
  'application/apply-patch+yaml',
];
const ACCEPTS = [
  JSON_TYPE,
  'application/yaml',
  PROTOBUF,
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io',
  'application/json;as=Table;v=v9;g=x',
  '*/*',
  'text/html',
  'a;q=x,b;;;=',
  ';',
  'application/json;stream=watch',
  'application/cbor',
  `${PROTOBUF},${JSON_TYPE}`,
];
const DOCUMENTS = [
  '/api',
  '/apis',
  '/apis/apps',
  '/version',
  '/healthz',
  '/readyz',
  '/livez?verbose',
  '/metrics',
  '/openapi/v3',
  '/openapi/v3/apis/apps/v1',
  '/api/v1',
  '/apis/x.io/v1',
  '/',
  '//',
  '/apis/..',
  '/openapi/v3/x',
];
const ENCODINGS = [JSON_TYPE, 'application/yaml', PROTOBUF, 'application/cbor', 'text/plain', ''];
/** Of a hundred requests. */
const CREATES = 30;
const encoder = new TextEncoder();

/** One request, and what it is about. */
export interface Attempt {
  readonly request: ApiRequest;
  readonly kind: Kind | undefined;
}

export interface World {
  readonly kinds: readonly Kind[];
  /** Some stored object of the kind. */
  stored(kind: Kind, dice: Dice): KubeObject | undefined;
}

/** Makes requests that are nearly right, out of the facts about every kind. */
export class Requests {
  constructor(
    private readonly dice: Dice,
    private readonly world: World,
  ) {}

  next(): Attempt {
    const { dice } = this;
    dice.again();
    if (dice.chance(3))
      return { request: this.send('GET', dice.pick(DOCUMENTS), queryOf(dice, 'GET'), undefined), kind: undefined };
    const choice = dice.roll(100);
    const kind = this.kindFor(choice >= CREATES);
    const subresource = dice.chance(12) ? this.subresource(kind) : '';
    if (choice < CREATES)
      return this.made(
        kind,
        'POST',
        this.collection(kind) + (subresource && `/${dice.pick(NAMES)}${subresource}`),
        this.fresh(kind, subresource),
      );
    const old = this.world.stored(kind, dice);
    const at = this.address(kind, old) + subresource;
    if (choice < 50)
      return this.made(
        kind,
        'PUT',
        at,
        old
          ? dice.chance(60)
            ? mutated(dice, old)
            : mutated(dice, mutated(dice, old))
          : this.fresh(kind, subresource),
      );
    if (choice < 74) return this.patch(kind, at, old);
    if (choice < 80)
      return this.made(
        kind,
        'DELETE',
        dice.chance(15) ? this.collection(kind) : at,
        dice.chance(60) ? undefined : objectOf(dice, 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions'),
      );
    const method = dice.chance(94) ? 'GET' : dice.pick(['HEAD', 'OPTIONS', 'TRACE', 'CONNECT', 'get', 'PROPFIND', '']);
    return this.made(kind, method, dice.chance(60) ? this.collection(kind) : at, undefined);
  }

  /** What there is none of cannot be changed: another is chosen, a few times. */
  private kindFor(existing: boolean): Kind {
    const { dice } = this;
    for (let tries = 0; ; tries++) {
      const kind = dice.chance(15) ? this.extension() : dice.pick(this.world.kinds);
      if (!existing || tries > 4 || dice.chance(10) || this.world.stored(kind, dice)) return kind;
    }
  }

  // ---- where ----

  private prefix(kind: Kind): string {
    return kind.group ? `/apis/${kind.group}/${kind.version}` : `/api/${kind.version}`;
  }

  private collection(kind: Kind): string {
    const namespaced = kind.scope === 'Namespaced' && this.dice.chance(99);
    return `${this.prefix(kind)}${namespaced ? `/namespaces/${this.dice.chance(92) ? 'default' : encodeSafely(nasty(this.dice))}` : ''}/${kind.plural}`;
  }

  private address(kind: Kind, old: KubeObject | undefined): string {
    const { dice } = this;
    const name = encodeSafely(old?.metadata.name ?? (dice.chance(90) ? dice.pick(NAMES) : nasty(dice)));
    if (kind.scope !== 'Namespaced') return `${this.prefix(kind)}/${kind.plural}/${name}`;
    return `${this.prefix(kind)}/namespaces/${encodeSafely(old?.metadata.namespace ?? 'default')}/${kind.plural}/${name}`;
  }

  private subresource(kind: Kind): string {
    const { status, scale, actions } = kind.subresources ?? {};
    const known = [
      ...(status ? ['status'] : []),
      ...(scale ? ['scale'] : []),
      ...Object.keys(actions ?? {}),
      ...(kind.kind === 'Pod' ? ['log', 'exec', 'proxy', 'attach', 'portforward'] : []),
    ];
    return `/${known.length && this.dice.chance(95) ? this.dice.pick(known) : encodeSafely(nasty(this.dice))}`;
  }

  // ---- what ----

  private fresh(kind: Kind, subresource: string): Json {
    const { dice } = this;
    if (dice.isWrong) return anything(dice);
    const typedAs =
      subresource === '/scale'
        ? 'io.k8s.api.autoscaling.v1.Scale'
        : subresource === '/eviction'
          ? 'io.k8s.api.policy.v1.Eviction'
          : subresource === '/binding'
            ? 'io.k8s.api.core.v1.Binding'
            : subresource === '/token'
              ? 'io.k8s.api.authentication.v1.TokenRequest'
              : kind.definition;
    const body = objectOf(dice, typedAs) as Fields;
    if (typeof body !== 'object' || body === null) return body;
    if (!dice.isWrong)
      body['metadata'] = {
        ...(dice.chance(8) ? (body['metadata'] as object) : {}),
        name: dice.pick(NAMES),
        labels: { app: 'x' },
      };
    if (!dice.isWrong)
      Object.assign(body, { apiVersion: kind.group ? `${kind.group}/${kind.version}` : kind.version, kind: kind.kind });
    if (kind.kind === 'CustomResourceDefinition' && dice.chance(85)) return customDefinition(dice);
    return body;
  }

  private extension(): Kind {
    const own = this.world.kinds.filter(
      (k) => k.group === 'x.io' || k.kind === 'CustomResourceDefinition' || k.group === 'admissionregistration.k8s.io',
    );
    return this.dice.pick(own);
  }

  private patch(kind: Kind, at: string, old: KubeObject | undefined): Attempt {
    const { dice } = this;
    const type = dice.chance(2) ? CBOR_PATCH : dice.pick(PATCHES);
    const whole = old ?? this.fresh(kind, '');
    let body: Json;
    if (type.startsWith('application/json-patch')) {
      body = Array.from({ length: 1 + dice.roll(4) }, () => ({
        op: dice.pick(['add', 'remove', 'replace', 'move', 'copy', 'test', 'x']),
        path: pointer(dice, whole),
        from: pointer(dice, whole),
        value: dice.chance(50) ? anything(dice) : text(dice, 'name'),
      }));
      if (dice.chance(5)) body = mutated(dice, body);
    } else if (type.startsWith('application/apply')) body = mutated(dice, bare(whole, dice));
    else body = fragment(dice, mutated(dice, whole), type.includes('strategic'));
    const attempt = this.made(kind, 'PATCH', at, body);
    return { kind, request: { ...attempt.request, headers: { ...attempt.request.headers, 'content-type': type } } };
  }

  // ---- how ----

  private made(kind: Kind, method: string, path: string, body: Json): Attempt {
    return { kind, request: this.send(method, path, queryOf(this.dice, method), body, kind) };
  }

  private send(method: string, path: string, query: string, body: Json, kind?: Kind): ApiRequest {
    const { dice } = this;
    const headers: Record<string, string> = { 'content-type': dice.chance(90) ? JSON_TYPE : dice.pick(ENCODINGS) };
    if (dice.chance(10)) headers['accept'] = dice.pick(ACCEPTS);
    if (dice.chance(2))
      Object.assign(headers, {
        'impersonate-user': nasty(dice),
        'impersonate-group': nasty(dice),
        [`impersonate-extra-${dice.pick(['a', '%zz'])}`]: nasty(dice),
      });
    if (dice.chance(5)) headers['user-agent'] = nasty(dice);
    let bytes = body === undefined ? undefined : this.encoded(body, headers, kind);
    if (bytes && dice.chance(5)) bytes = noisy(dice, bytes);
    const stranger = dice.chance(2);
    if (stranger)
      headers['authorization'] = dice.pick(['Bearer x', 'Bearer a.b.c', 'Basic x', `Bearer ${nasty(dice)}`]);
    const [plain, more] = path.split('?', 2) as [string, string?];
    return {
      method,
      path: dice.chance(1) ? scrambled(dice, plain) : plain,
      query: more ?? query,
      headers,
      body: bytes,
      user: stranger ? undefined : ADMIN,
    };
  }

  private encoded(body: Json, headers: Record<string, string>, kind: Kind | undefined): Uint8Array {
    const json = encoder.encode(JSON.stringify(body) ?? '');
    if (headers['content-type'] !== PROTOBUF || !kind || !this.dice.chance(90)) return json;
    try {
      return encodeProtobuf(body as KubeObject, kind.definition);
    } catch {
      // What has no place in the message has no bytes.
      return json;
    }
  }
}

/** What a person would apply: without what the server gives. */
function bare(value: Json, dice: Dice): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { status: _status, metadata, ...rest } = value as Fields;
  const { name, namespace, labels } = (typeof metadata === 'object' && metadata !== null ? metadata : {}) as Fields;
  return { ...rest, metadata: { name, ...(namespace ? { namespace } : {}), ...(dice.chance(50) ? { labels } : {}) } };
}

/** A part of the object, with a directive here and there. */
function fragment(dice: Dice, value: Json, directives: boolean): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return dice.chance(5) ? null : value;
  const out: Fields = {};
  for (const [key, inner] of Object.entries(value)) {
    if (dice.chance(40)) continue;
    out[key] = dice.chance(5) ? null : fragment(dice, inner, directives);
    if (directives && dice.chance(4))
      out[`${dice.pick(['$setElementOrder', '$deleteFromPrimitiveList', '$x'])}/${key}`] = dice.chance(50)
        ? [{ name: 'a' }, 'b']
        : anything(dice);
  }
  if (directives && dice.chance(4))
    out[dice.pick(['$patch', '$retainKeys'])] = dice.pick(['delete', 'replace', 'merge', ['a'], 7]);
  return out;
}
