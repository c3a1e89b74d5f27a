import { expect, test } from '@jest/globals';
import type { Service } from '../../../../../../libs/testkit/service.js';
import { describeConsole, LONG_MS } from '../../../../testing/console.js';

const HOSTILE = '<img src=x onerror="document.title=1">';
const CAUSE = 'kubernetes.io/change-cause';
const labels = { app: 'web' };
const workload = (kind: string, name: string, image: string, cause: string) => ({
  ...{ apiVersion: 'apps/v1', kind, metadata: { name, namespace: 'default', annotations: { [CAUSE]: cause } } },
  spec: {
    ...(kind === 'DaemonSet' ? {} : { replicas: 1 }),
    ...(kind === 'StatefulSet' ? { serviceName: 'web' } : {}),
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'c', image }] } },
  },
});
const shell = { name: 'c', image: 'busybox', command: ['sh'], stdin: true, tty: true };

/** Changes that come at once are one revision: until the controller has seen this one. */
async function untilSeen(service: Service, path: string): Promise<void> {
  interface Workload {
    readonly metadata: { readonly generation: number };
    readonly status: { readonly observedGeneration?: number };
  }
  for (;;) {
    const { metadata, status } = await service.call<Workload>('GET', path);
    if (status.observedGeneration === metadata.generation) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

describeConsole('rollouts, evictions and debugging, in Chromium', (opened) => {
  test(
    'a Deployment is paused, resumed, restarted, and goes back to any of its revisions',
    async () => {
      const { service, page, clusterId, open, apply, inspect, problems } = opened();
      const path = `/clusters/${clusterId}/apis/apps/v1/namespaces/default/deployments/web`;
      const read = () => service.call<Record<string, Record<string, never>>>('GET', path);
      for (const version of ['1.25', '1.26', '1.27']) {
        await apply(workload('Deployment', 'web', `nginx:${version}`, `to ${version} ${HOSTILE}`));
        await untilSeen(service, path);
      }
      await open(`/c/${clusterId}/objects/deployments.apps/default/web`);
      await page.getByRole('button', { name: 'Pause the rollout' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Pause the rollout' }).click();
      await page.getByRole('button', { name: 'Restart' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Restart' }).click();
      await page.getByText("can't restart paused deployment (run rollout resume first)").waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Roll back', exact: true }).click();
      const first = page.locator('.revisions li', { hasText: 'Revision 1' });
      await first.getByText(`to 1.25 ${HOSTILE}`).waitFor();
      await page.locator('.revisions li[aria-current]', { hasText: 'Revision 3' }).getByText('nginx:1.26').waitFor();
      expect(await inspect('revisions')).toEqual([]);
      await first.getByRole('button', { name: 'Roll back to 1' }).click();
      await page.getByRole('dialog').getByText('spec.containers[c].image').waitFor();
      expect(await inspect('rollback')).toEqual([]);
      await page.getByRole('dialog').getByRole('button', { name: 'Roll back to 1' }).click();
      await page.getByText('cannot rollback a paused deployment').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Resume the rollout' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Resume the rollout' }).click();
      await page.getByRole('button', { name: 'Pause the rollout' }).waitFor();
      await first.getByRole('button', { name: 'Roll back to 1' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Roll back to 1' }).click();
      await page.locator('.revisions li[aria-current]', { hasText: 'Revision 4' }).getByText('to 1.25').waitFor();
      expect((await read())['spec']).toMatchObject({ template: { spec: { containers: [{ image: 'nginx:1.25' }] } } });
      expect((await read())['metadata']).toMatchObject({ annotations: { [CAUSE]: `to 1.25 ${HOSTILE}` } });
      expect(await page.title()).not.toBe('1');
      expect(problems).toEqual([]);
    },
    LONG_MS,
  );

  test.each(['StatefulSet', 'DaemonSet'])(
    'a %s goes back, too',
    async (kind) => {
      const { service, page, clusterId, open, apply } = opened();
      const plural = `${kind.toLowerCase()}s`;
      const path = `/clusters/${clusterId}/apis/apps/v1/namespaces/default/${plural}/kept`;
      for (const version of ['1.26', '1.27']) {
        await apply(workload(kind, 'kept', `nginx:${version}`, version));
        await untilSeen(service, path);
      }
      await open(`/c/${clusterId}/objects/${plural}.apps/default/kept?tab=revisions`);
      await page.getByRole('button', { name: 'Roll back to 1' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Roll back to 1' }).click();
      await page.locator('.revisions li[aria-current]', { hasText: 'Revision 3' }).waitFor();
      const { spec } = await service.call<{ spec: object }>('GET', path);
      expect(spec).toMatchObject({ template: { spec: { containers: [{ image: 'nginx:1.26' }] } } });
    },
    LONG_MS,
  );

  test(
    'a budget’s refusal of an eviction is told in its words, and without one the pod goes',
    async () => {
      const { page, clusterId, open, apply } = opened();
      const own = { app: 'guarded' };
      const spec = { containers: [{ name: 'c', image: 'nginx' }] };
      await apply({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: 'guarded', namespace: 'default', labels: own },
        spec,
      });
      await apply({
        ...{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: { name: 'all', namespace: 'default' } },
        spec: { minAvailable: 1, selector: { matchLabels: own } },
      });
      await open(`/c/${clusterId}/objects/pods/default/guarded`);
      await page.getByRole('cell', { name: 'running' }).waitFor();
      await page.getByRole('button', { name: 'Evict' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Evict' }).click();
      await page.getByText("Cannot evict pod as it would violate the pod's disruption budget.").waitFor();
      await page.getByText('The disruption budget all needs 1 healthy pods and has 1 currently').waitFor();
      await page.keyboard.press('Escape');
      await open(`/c/${clusterId}/objects/poddisruptionbudgets.policy/default/all`);
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
      await open(`/c/${clusterId}/objects/pods/default/guarded`);
      await page.getByRole('button', { name: 'Evict' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Evict' }).click();
      await page.getByText('deleted', { exact: true }).waitFor();
    },
    LONG_MS,
  );

  test(
    'one attaches to a container, and debugs a pod by another one',
    async () => {
      const { page, clusterId, open, apply, inspect, problems } = opened();
      const talks = {
        name: 'talks',
        image: 'busybox',
        command: ['sh', '-c', 'while true; do echo "line <b>"; sleep 1; done'],
      };
      await apply({
        ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'open', namespace: 'default' } },
        spec: { containers: [shell, talks] },
      });
      await open(`/c/${clusterId}/objects/pods/default/open`);
      await page.getByRole('link', { name: 'Attach of talks' }).click();
      await page.getByText('It takes no input (stdin: false).').waitFor();
      await page.locator('.xterm-rows', { hasText: 'line <b>' }).waitFor();
      await open(`/c/${clusterId}/objects/pods/default/open`);
      await page.getByRole('button', { name: 'Attach', exact: true }).click();
      await page.getByRole('tab', { name: 'attach/default/open/' }).waitFor();
      await page.getByText('Attached to the container’s own process').waitFor();
      await page.locator('.xterm-helper-textarea').focus();
      await page.keyboard.type('echo own-$((1+1))\n');
      await page.locator('.xterm-rows', { hasText: 'own-2' }).waitFor();
      expect(await inspect('attach')).toEqual([]);
      await open(`/c/${clusterId}/objects/pods/default/open`);
      await page.getByRole('button', { name: 'Debug' }).click();
      await page.getByRole('dialog').getByLabel('Image').fill('alpine:3.20');
      await page.locator('select', { hasText: 'talks' }).selectOption('talks');
      expect(await inspect('debug')).toEqual([]);
      await page.getByRole('button', { name: 'Make it and attach' }).click();
      await page.getByRole('tab', { name: /^attach\/default\/open\/debugger-/ }).waitFor();
      await page.getByText('Attached to the container’s own process').waitFor();
      await page.locator('.xterm-helper-textarea').focus();
      await page.keyboard.type('cat /etc/os-release; ps\n');
      await page.locator('.xterm-rows', { hasText: 'Alpine' }).waitFor();
      // The processes of the container that it is for.
      await page.locator('.xterm-rows', { hasText: 'while true' }).waitFor();
      await open(`/c/${clusterId}/objects/pods/default/open`);
      await page.getByRole('rowheader', { name: /^debugger-/ }).waitFor();
      expect(problems).toEqual([]);
    },
    LONG_MS,
  );
});
