import { pod, TestServer } from '../../apiserver/testing.js';
import { encodeBase64 } from '../../machinery/text/base64.js';
import type { PodHttpAnswer } from '../../machinery/requests/http.js';
import { ok, REGISTRATION } from '../testing.js';

export const CA = encodeBase64('-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n');
export const SERVICE = { namespace: 'default', name: 'hook', path: '/do' };
export const POST = 'Post "https://hook.default.svc:443/do?timeout=10s"';
export const patch = (...operations: object[]): object => ({
  allowed: true,
  patchType: 'JSONPatch',
  patch: encodeBase64(JSON.stringify(operations)),
});
export const label = (name: string, value = 'yes'): object => ({ op: 'add', path: `/metadata/labels/${name}`, value });
export const json = (body: unknown): PodHttpAnswer => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** What a webhook answers to the request of a review: a response, a whole HTTP answer, or an error of the call. */
export type Respond = (request: any, review: any) => object | PodHttpAnswer | { error: string };
const isHttp = (answer: object): answer is PodHttpAnswer => 'status' in answer && typeof answer.status === 'number';

/** An API server with a webhook behind the Service 'hook', which answers as `respond` does. */
export class HookServer extends TestServer {
  readonly requests: any[] = [];

  constructor(respond: Respond) {
    super(undefined, (_pod, request) => {
      const review = JSON.parse(request.body) as any;
      this.requests.push(review.request);
      const answer = respond(review.request, review);
      if ('error' in answer || isHttp(answer)) return answer as PodHttpAnswer;
      const { delayMs, ...response } = answer as { delayMs?: number };
      return {
        ...json({
          apiVersion: review.apiVersion,
          kind: review.kind,
          response: { uid: review.request.uid, ...response },
        }),
        ...(delayMs ? { delayMs } : {}),
      };
    });
    ok(
      this.post('/api/v1/namespaces/default/services', {
        metadata: { name: 'hook' },
        spec: { ports: [{ port: 443, targetPort: 8443 }] },
      }),
    );
    ok(this.post('/api/v1/namespaces/default/pods', pod('hook')));
    ok(
      this.post('/apis/discovery.k8s.io/v1/namespaces/default/endpointslices', {
        metadata: { name: 'hook-1', labels: { 'kubernetes.io/service-name': 'hook' } },
        addressType: 'IPv4',
        ports: [{ name: '', port: 8443 }],
        endpoints: [
          {
            addresses: ['10.244.0.5'],
            conditions: { ready: true },
            targetRef: { kind: 'Pod', namespace: 'default', name: 'hook' },
          },
        ],
      }),
    );
  }

  register(type: 'validating' | 'mutating', ...webhooks: object[]): this {
    const full = webhooks.map((w, i) => ({
      name: `h${i}.x.io`,
      admissionReviewVersions: ['v1'],
      sideEffects: 'None',
      rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['*'] }],
      clientConfig: { service: SERVICE, caBundle: CA },
      ...w,
    }));
    ok(this.post(`${REGISTRATION}/${type}webhookconfigurations`, { metadata: { name: 't' }, webhooks: full }));
    return this;
  }
}
export const ALLOW: Respond = () => ({ allowed: true });
