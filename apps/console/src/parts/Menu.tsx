import { DropdownMenu as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { Icon, type IconName } from './Icon.js';

export interface MenuItem {
  readonly title: string;
  readonly icon?: IconName;
  readonly tone?: 'bad';
  readonly isDisabled?: boolean;
  run(): void;
}

/** A button that opens a list of things to do. */
export const Menu = ({ trigger, items }: { readonly trigger: ReactNode; readonly items: readonly MenuItem[] }) => (
  // Not modal: the rest of the page stays what it is, also to who hears it.
  <Radix.Root modal={false}>
    <Radix.Trigger asChild>{trigger}</Radix.Trigger>
    <Radix.Portal container={document.querySelector('main')}>
      <Radix.Content className="menu" align="end" sideOffset={4}>
        {items.map(({ title, icon, tone, isDisabled, run }) => (
          <Radix.Item key={title} className={tone} disabled={isDisabled} onSelect={run}>
            {icon && <Icon name={icon} />}
            {title}
          </Radix.Item>
        ))}
      </Radix.Content>
    </Radix.Portal>
  </Radix.Root>
);
