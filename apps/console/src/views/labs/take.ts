import { fetchPage } from '../../api/rest.js';

/** Hands in a lab's text; the service prepares its cluster before it answers. Rejects with Failure. */
export const takeLab = async (text: string): Promise<void> =>
  void (await fetchPage('/v1/labs', { method: 'POST', body: text, headers: { 'content-type': 'application/yaml' } }));
