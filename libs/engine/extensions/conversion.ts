import type { CustomResourceDefinition, WebhookClientConfig } from '../api/apiextensions_v1.js';
import { decodeBase64Text } from '../machinery/text/base64.js';
import { caBundleFault } from '../machinery/crypto/x509/pem.js';
import { Path } from '../machinery/meta/field.js';
import { apiVersionOf, isObject, type Json, type Unstructured, type JsonObject } from '../machinery/meta/object.js';
import { hash32, SeededRandom } from '../machinery/random.js';
import { ApiError } from '../machinery/meta/status.js';
import { validateLabels } from '../machinery/meta/validation.js';
import { WebhookFailure, type CallWebhook } from '../machinery/requests/webhook.js';

/** Converts objects of one custom kind to a version; those in the version stay as they are. Throws ApiError. */
export type Convert = (objects: readonly Unstructured[], version: string) => readonly Unstructured[];

const GROUP = 'apiextensions.k8s.io';
const REVIEWS = ['v1', 'v1beta1'];
const TIMEOUT_SECONDS = 30;

/** The client configuration of the conversion webhook; a blank CA bundle counts as none. */
function clientConfigOf({ spec }: Pick<CustomResourceDefinition, 'spec'>): WebhookClientConfig {
  const { caBundle, ...client } = spec.conversion?.webhook?.clientConfig ?? {};
  return caBundle && decodeBase64Text(caBundle).trim() ? { ...client, caBundle } : client;
}

/** The error of the conversion webhook's CA bundle; undefined when it can be read or is absent. */
export const findCaBundleError = (crd: Pick<CustomResourceDefinition, 'spec'>): string | undefined =>
  caBundleFault(clientConfigOf(crd).caBundle);

/** The strategy None: only the apiVersion changes. Models conversion/nop_converter.go. */
const createNopConverter =
  ({ spec }: CustomResourceDefinition): Convert =>
  (objects, version) => {
    const apiVersion = apiVersionOf(spec.group, version);
    return objects.map((object) => (object.apiVersion === apiVersion ? object : { ...object, apiVersion }));
  };

/** The converter of a CRD's strategy; without `call`, which calls webhooks, the strategy is None. */
export const createConverter = (crd: CustomResourceDefinition, call?: CallWebhook): Convert =>
  crd.spec.conversion?.strategy === 'Webhook' && call ? createWebhookConverter(crd, call) : createNopConverter(crd);

/** Models apiextensions-apiserver/pkg/apiserver/conversion webhook_converter.go. */
const createWebhookConverter =
  (crd: CustomResourceDefinition, call: CallWebhook): Convert =>
  (objects, version) => {
    const apiVersion = apiVersionOf(crd.spec.group, version);
    const foreign = objects.filter((o) => o.apiVersion !== apiVersion);
    if (foreign.length === 0) return objects;
    const what = `conversion webhook for ${foreign[0]!.apiVersion}, Kind=${crd.spec.names.kind}`;
    const converted = callConversionWebhook(crd, foreign, apiVersion, call, what);
    if (converted.length !== foreign.length)
      throw conversionError(`${what} returned ${converted.length} objects, expected ${foreign.length}`);
    const results = new Map(
      foreign.map((object, i) => [object, restoreObjectMeta(object, converted[i]!, apiVersion, what, i)]),
    );
    return objects.map((object) => results.get(object) ?? object);
  };

const conversionError = (message: string): ApiError => new ApiError(500, '', message);

function callConversionWebhook(
  { metadata, spec }: CustomResourceDefinition,
  objects: readonly Unstructured[],
  desiredAPIVersion: string,
  call: CallWebhook,
  what: string,
): readonly Json[] {
  const { conversionReviewVersions } = spec.conversion!.webhook!;
  const version = conversionReviewVersions.find((v) => REVIEWS.includes(v));
  if (!version) throw conversionError('no supported conversion review versions');
  const uid = new SeededRandom(
    hash32(`${metadata.uid} ${desiredAPIVersion} ${objects[0]!.metadata.uid}`),
    objects.length,
  ).uuid();
  const review = {
    kind: 'ConversionReview',
    apiVersion: `${GROUP}/${version}`,
    request: { uid, desiredAPIVersion, objects },
  };
  try {
    return getConvertedObjects(
      call(clientConfigOf({ spec }), review, TIMEOUT_SECONDS, () => callKey(uid, objects)),
      version,
      uid,
    );
  } catch (error) {
    if (error instanceof WebhookFailure) throw conversionError(`${what} failed: ${error.message}`);
    throw error;
  }
}

/** Identifies the call: the result depends on the objects without the metadata that conversion cannot change. */
const callKey = (uid: string, objects: readonly Unstructured[]): string =>
  `conversion ${uid} ${JSON.stringify(objects.map(({ metadata: { name, namespace, labels, annotations }, ...rest }) => [name, namespace, labels, annotations, rest]))}`;

/** Models getConvertedObjectsFromResponse. */
function getConvertedObjects(
  { apiVersion, kind, response }: JsonObject,
  version: string,
  uid: string,
): readonly Json[] {
  const given = `${String(apiVersion ?? '/')}, Kind=${String(kind ?? '')}`;
  const wanted = `${GROUP}/v1, Kind=ConversionReview`;
  if (version === 'v1' && given !== wanted)
    throw new WebhookFailure(`expected webhook response of ${wanted}, got ${given}`);
  if (!isObject(response)) throw new WebhookFailure('no response provided');
  if (version === 'v1' && response['uid'] !== uid)
    throw new WebhookFailure(
      `expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(response['uid'] ?? '')}`,
    );
  const { status = '', message } = (isObject(response['result']) ? response['result'] : {}) as {
    status?: string;
    message?: string;
  };
  if (status !== 'Success')
    throw new WebhookFailure(message || `response.result.status was '${status}', not 'Success'`);
  return Array.isArray(response['convertedObjects']) ? response['convertedObjects'] : [];
}

/**
 * The converted object, with the original's metadata but for labels and annotations. Models validateConvertedObject and
 * restoreObjectMeta.
 */
function restoreObjectMeta(
  original: Unstructured,
  converted: Json,
  apiVersion: string,
  what: string,
  index: number,
): Unstructured {
  const at = `${what} returned invalid object at index ${index}`;
  const result = (isObject(converted) ? converted : {}) as unknown as Unstructured;
  if (result.apiVersion !== apiVersion)
    throw conversionError(`${at}: invalid groupVersion (expected ${apiVersion}, received ${result.apiVersion ?? ''})`);
  if (result.kind !== original.kind)
    throw conversionError(`${at}: invalid kind (expected ${original.kind}, received ${result.kind ?? ''})`);
  const given: Partial<Unstructured['metadata']> = isObject(result.metadata) ? result.metadata : {};
  for (const [field, name] of [
    ['name', 'name'],
    ['namespace', 'namespace'],
    ['uid', 'UID'],
  ] as const) {
    const [was, is] = [original.metadata[field] ?? '', given[field] ?? ''];
    if (was !== is)
      throw conversionError(`${what} returned invalid object: must have the same ${name}: ${was} != ${is}`);
  }
  const errors = validateLabels(given.labels, Path.of('metadata', 'labels'));
  if (errors.length > 0) throw conversionError(`${what} returned invalid metadata: ${errors[0]!.message}`);
  const { labels: _labels, annotations: _annotations, ...metadata } = original.metadata;
  return {
    ...result,
    metadata: {
      ...metadata,
      ...(given.labels ? { labels: given.labels } : {}),
      ...(given.annotations ? { annotations: given.annotations } : {}),
    },
  };
}
