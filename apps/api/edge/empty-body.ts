import type { FastifyRequest } from 'fastify';

/** The platform's own routes; the Kubernetes API judges the type of an empty body itself. */
const PREFIX = '/v1/';

/**
 * Lets a request that names a type of its body, and has none, be one without a body: many clients name their type with
 * every POST and DELETE, and Fastify answers them 400.
 */
export async function forgetTypeOfEmptyBody({ url, headers }: FastifyRequest): Promise<void> {
  if (!url.startsWith(PREFIX) || headers['transfer-encoding'] !== undefined) return;
  if (Number(headers['content-length'] ?? 0) === 0) delete headers['content-type'];
}
