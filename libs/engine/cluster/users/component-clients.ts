import type { Pod } from '../../api/core_v1.js';
import type { Store } from '../../apiserver/registry/store.js';
import { componentOptions, type Requester } from '../../apiserver/registry/write-options.js';
import type { Client, User } from '../../machinery/client.js';
import type { State } from '../../runtime/state/state.js';
import { componentUser } from './component-users.js';

interface ComponentClientsParts {
  readonly state: State;
  readonly writer: Store;
  /** Validates what components write, too: for tests. */
  readonly strict: boolean;
}

class ComponentRequester implements Requester {
  readonly user: User;

  constructor(
    actor: string,
    private readonly causeOf: () => number,
  ) {
    this.user = componentUser(actor);
  }

  get cause(): number {
    return this.causeOf();
  }
}

/** The clients of the cluster's components. */
export class ComponentClients {
  constructor(private readonly parts: ComponentClientsParts) {}

  /** Of a component by its name, whose writes are caused by the revision that `cause` tells. */
  ofComponent(actor: string, cause: () => number): Client {
    return this.parts.writer.client(componentOptions(new ComponentRequester(actor, cause), this.parts.strict));
  }

  /** Of a node's kubelet, in the name of nobody else. */
  ofNode(node: string): Client {
    return this.ofComponent(`system:node:${node}`, () => this.parts.state.revision);
  }

  ofNodeOf({ spec }: Pod): Client {
    return this.ofNode(spec.nodeName ?? '');
  }

  /** For code that acts on the cluster directly (bootstrap, tests); validated like a user's writes. */
  ofUser(user: User): Client {
    return this.parts.writer.client(componentOptions({ user, cause: 0 }, true));
  }
}
