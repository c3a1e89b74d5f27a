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
  <Radix.Root>
    <Radix.Trigger asChild>{trigger}</Radix.Trigger>
    <Radix.Portal>
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
