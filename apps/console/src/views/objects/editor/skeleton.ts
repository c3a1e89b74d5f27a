import type { Resource } from '../../../kube/resource.js';

const POD = '  containers:\n    - name: web\n      image: nginx\n';
const indent = (text: string, by: number): string => text.replace(/^/gm, ' '.repeat(by)).trimEnd() + '\n';
const TEMPLATE = `  template:\n    metadata:\n      labels:\n        app: new\n    spec:\n${indent(POD, 4)}`;
const SELECTOR = '  selector:\n    matchLabels:\n      app: new\n';

/** What is needed at least of the kinds that are made most. */
const BODIES: Readonly<Record<string, string>> = {
  Pod: `spec:\n${POD}`,
  Deployment: `spec:\n  replicas: 2\n${SELECTOR}${TEMPLATE}`,
  DaemonSet: `spec:\n${SELECTOR}${TEMPLATE}`,
  StatefulSet: `spec:\n  serviceName: new\n  replicas: 2\n${SELECTOR}${TEMPLATE}`,
  Job: `spec:\n  template:\n    spec:\n      restartPolicy: Never\n${indent(POD, 4)}`,
  Service: 'spec:\n  selector:\n    app: new\n  ports:\n    - port: 80\n',
  ConfigMap: 'data:\n  key: value\n',
  Secret: 'stringData:\n  key: value\n',
};

/** A text to begin a new object with. */
export function skeletonOf({ apiVersion, kind, namespaced }: Resource, namespace: string): string {
  const place = namespaced ? `  namespace: ${namespace || 'default'}\n` : '';
  const body = apiVersion === 'v1' || /^(?:apps|batch)\//.test(apiVersion) ? (BODIES[kind] ?? '') : '';
  return `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata:\n  name: new\n${place}${body}`;
}
