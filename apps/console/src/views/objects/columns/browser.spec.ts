import { expect, test } from '@jest/globals';
import { describeConsole, LONG_MS } from '../../../../testing/console.js';

const config = (namespace: string, name: string) => ({
  ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace }, data: { a: '1' } },
});

describeConsole('several namespaces and chosen columns, in Chromium', (opened) => {
  test(
    'several namespaces are one live table, and stay from view to view',
    async () => {
      const { page, clusterId, open, apply, inspect, problems } = opened();
      for (const name of ['one', 'two', 'three']) {
        await apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
        await apply(config(name, `of-${name}`));
      }
      const cell = (name: string) => page.getByRole('gridcell', { name, exact: true });
      await open(`/c/${clusterId}/objects/configmaps?ns=one`);
      await cell('of-one').waitFor();
      await page.getByRole('button', { name: 'Namespace: one' }).press('Enter');
      await page.getByRole('menuitemcheckbox', { name: 'two' }).focus();
      await page.keyboard.press('Space');
      await page.getByRole('menuitemcheckbox', { name: 'two', checked: true }).waitFor();
      expect(await inspect('namespaces')).toEqual([]);
      await page.keyboard.press('Escape');
      await page.locator('button:focus', { hasText: 'one, two' }).waitFor();
      await cell('of-two').waitFor();
      await apply(config('two', 'later'));
      await cell('later').waitFor();
      expect(await cell('of-three').count()).toBe(0);
      expect(new URL(page.url()).searchParams.get('ns')).toBe('one,two');
      await page.getByRole('button', { name: 'Secret', exact: true }).click();
      await page.getByRole('button', { name: 'Namespace: one, two' }).waitFor();
      await open(`/c/${clusterId}/objects/configmaps?ns=one,three&at=-1s`);
      await cell('of-three').waitFor();
      expect(await cell('of-two').count()).toBe(0);
      expect(problems).toEqual([]);
    },
    LONG_MS,
  );

  test(
    'columns are chosen, stand in the URL, and are there at the next visit',
    async () => {
      const { page, clusterId, open, inspect } = opened();
      const heads = () => page.getByRole('columnheader').allTextContents();
      await open(`/c/${clusterId}/objects/pods?ns=kube-system`);
      await page.getByRole('columnheader', { name: 'Age' }).waitFor();
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByRole('menuitemcheckbox', { name: 'Restarts' }).click();
      await page.getByRole('menuitemcheckbox', { name: 'Node', exact: true }).click();
      expect(await inspect('columns')).toEqual([]);
      await page.keyboard.press('Escape');
      expect((await heads()).join(' ')).toContain('Ready Status Age Node');
      expect(new URL(page.url()).searchParams.get('cols')).toBe('Ready,Status,Age,Node');
      await open(`/c/${clusterId}/objects/pods?ns=kube-system`);
      await page.getByRole('columnheader', { name: 'Node', exact: true }).waitFor();
      expect(await page.getByRole('columnheader', { name: 'Restarts' }).count()).toBe(0);
      await page.getByRole('button', { name: 'Columns' }).click();
      await page.getByRole('menuitemcheckbox', { name: 'As kubectl get', exact: true }).click();
      await page.keyboard.press('Escape');
      await page.getByRole('columnheader', { name: 'Restarts' }).waitFor();
      expect(new URL(page.url()).searchParams.get('cols')).toBeNull();
      await open(`/c/${clusterId}/objects/pods?ns=kube-system&wide=1`);
      await page.getByRole('columnheader', { name: 'Nominated Node' }).waitFor();
    },
    LONG_MS,
  );
});
