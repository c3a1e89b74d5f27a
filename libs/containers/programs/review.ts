import type { PodHttpAnswer, PodHttpRequest } from '@terrarium/engine';

/** A Kubernetes object on the wire. */
export interface Wired {
  apiVersion?: string;
  kind?: string;
  metadata?: {
    name?: string;
    namespace?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
  };
  [field: string]: unknown;
}

/** What a webhook is asked. Models admission/v1 AdmissionRequest, as far as programs look at it. */
export interface Asked {
  readonly uid: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  readonly subResource?: string;
  readonly userInfo: {
    readonly username: string;
    readonly groups?: readonly string[];
    readonly uid?: string;
    readonly extra?: unknown;
  };
  readonly object: Wired | null;
  readonly oldObject: Wired | null;
}

/** What it decides. */
export interface Decision {
  readonly allowed: boolean;
  /** Of a refusal; `code` is 400 when left out. */
  readonly status?: {
    readonly message?: string;
    readonly reason?: string;
    readonly code?: number;
    readonly status?: string;
  };
  /** JSON patch (RFC 6902). */
  readonly patch?: readonly object[];
  readonly warnings?: readonly string[];
  /** How long it thinks, in virtual ms. */
  readonly delayMs?: number;
}

export const ALLOWED: Decision = { allowed: true };
const JSON_TYPE = { 'content-type': 'application/json' };
const TEXT_TYPE = { 'content-type': 'text/plain; charset=utf-8' };
const bad = (body: string): PodHttpAnswer => ({ status: 400, headers: TEXT_TYPE, body: `${body}\n` });

interface Review<T> {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly request?: T;
}

function reviewIn<T>(body: string, group: string, kind: string): Required<Review<T>> | undefined {
  try {
    const review = JSON.parse(body) as Review<T> | null;
    return review?.kind === kind && review.apiVersion?.startsWith(`${group}/`) && review.request
      ? (review as Required<Review<T>>)
      : undefined;
  } catch {
    return undefined;
  }
}

const base64 = (value: unknown): string =>
  btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(value))));

/** Answers an AdmissionReview of either version. Undefined from `admit`: the program breaks off, and says nothing. */
export function admission({ body }: PodHttpRequest, admit: (asked: Asked) => Decision | undefined): PodHttpAnswer {
  const review = reviewIn<Asked>(body, 'admission.k8s.io', 'AdmissionReview');
  if (!review) return bad('contentType=, expect application/json');
  const decision = admit(review.request);
  if (!decision) return { status: 200, body: '' };
  const { allowed, status, patch, warnings, delayMs } = decision;
  const response = {
    uid: review.request.uid,
    allowed,
    ...(status ? { status } : {}),
    ...(patch?.length ? { patch: base64(patch), patchType: 'JSONPatch' } : {}),
    ...(warnings ? { warnings } : {}),
  };
  return {
    status: 200,
    headers: JSON_TYPE,
    body: JSON.stringify({ kind: review.kind, apiVersion: review.apiVersion, response }),
    ...(delayMs ? { delayMs } : {}),
  };
}

/** Answers a ConversionReview; a text from `convert` says why it cannot be done. */
export function conversion(
  { body }: PodHttpRequest,
  convert: (object: Wired, apiVersion: string) => Wired | string,
): PodHttpAnswer {
  const review = reviewIn<{ uid: string; desiredAPIVersion: string; objects: Wired[] }>(
    body,
    'apiextensions.k8s.io',
    'ConversionReview',
  );
  if (!review) return bad('failed to deserialize body');
  const { uid, desiredAPIVersion, objects } = review.request;
  const converted: Wired[] = [];
  let message: string | undefined;
  for (const object of objects) {
    const result = convert(object, desiredAPIVersion);
    if (typeof result === 'string') {
      message = result;
      break;
    }
    converted.push({ ...result, apiVersion: desiredAPIVersion });
  }
  const result =
    message === undefined ? { metadata: {}, status: 'Success' } : { metadata: {}, status: 'Failure', message };
  const response = { uid, convertedObjects: message === undefined ? converted : null, result };
  return {
    status: 200,
    headers: JSON_TYPE,
    body: JSON.stringify({ kind: review.kind, apiVersion: review.apiVersion, response }),
  };
}
