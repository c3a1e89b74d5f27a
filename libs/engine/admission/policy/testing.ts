import { TestServer } from '../../apiserver/testing.js';
import { ok, REGISTRATION } from '../testing.js';

export const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';
export const rules = (resources: string[], apiGroups = [''], operations = ['CREATE', 'UPDATE']): object => ({
  resourceRules: [{ apiGroups, apiVersions: ['v1'], operations, resources }],
});
export const onDeployments = { matchConstraints: rules(['deployments'], ['apps']) };
export const onConfigMaps = { matchConstraints: rules(['configmaps']) };

/** A server with one policy, 'p', and one binding, 'b'. */
export function policyServer(type: 'validating' | 'mutating', spec: object, binding: object = {}): TestServer {
  const server = new TestServer();
  const actions = type === 'validating' ? { validationActions: ['Deny'] } : {};
  ok(
    server.post(`${REGISTRATION}/${type}admissionpolicies`, {
      metadata: { name: 'p' },
      spec: { ...(type === 'mutating' ? { reinvocationPolicy: 'Never' } : {}), ...spec },
    }),
  );
  ok(
    server.post(`${REGISTRATION}/${type}admissionpolicybindings`, {
      metadata: { name: 'b' },
      spec: { policyName: 'p', ...actions, ...binding },
    }),
  );
  return server;
}
