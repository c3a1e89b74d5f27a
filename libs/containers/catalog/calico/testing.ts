import type { Pod } from '../../../engine/api/core_v1.js';
import type { Client } from '../../../engine/machinery/client.js';
import type { Key, KubeObject } from '../../../engine/machinery/meta/object.js';
import type { Resource } from '../../../engine/machinery/resource.js';

/** An API server of tests: it stores what it is given, and serves every kind. */
export class StoredApi {
  private readonly stored = new Map<string, KubeObject>();
  writes = 0;

  constructor(private readonly pods: readonly Pod[] = []) {}

  /** What is stored of a kind, by name. */
  all(plural: string): KubeObject[] {
    const found = [...this.stored].filter(([key]) => key.startsWith(`${plural}/`));
    return found.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
  }

  put(plural: string, object: KubeObject): void {
    this.stored.set(`${plural}/${object.metadata.name ?? ''}`, object);
  }

  client(): Client {
    const write = ({ plural }: Resource, object: KubeObject): KubeObject => {
      this.writes++;
      this.put(plural, object);
      return object;
    };
    return {
      get: ({ plural }: Resource, { name }: Key) => this.stored.get(`${plural}/${name}`),
      list: ({ plural }: Resource) => this.all(plural),
      byIndex: () => this.pods,
      kindFor: () => ({}),
      ...{ create: write, update: write, updateStatus: write },
      delete: ({ plural }: Resource, { name }: Key) => {
        this.writes++;
        this.stored.delete(`${plural}/${name}`);
      },
    } as unknown as Client;
  }
}
