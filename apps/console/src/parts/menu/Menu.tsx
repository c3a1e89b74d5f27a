import { DropdownMenu as Radix } from 'radix-ui';
import { useState, type ReactNode } from 'react';
import { Icon, type IconName } from '../Icon.js';

export interface MenuItem {
  readonly title: string;
  readonly icon?: IconName;
  readonly tone?: 'bad';
  readonly isDisabled?: boolean;
  run(): void;
}

/** A button that opens a list of things to do. Not modal: the rest of the page stays what it is to who hears it. */
export function Menu({ trigger, items }: { readonly trigger: ReactNode; readonly items: readonly MenuItem[] }) {
  // Within the page's content, as all that is said; which is another one after signing in.
  const [container, setContainer] = useState<HTMLElement | null>(null);
  return (
    <Radix.Root modal={false} onOpenChange={(isOpen) => isOpen && setContainer(document.querySelector('main'))}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal container={container}>
        <Items items={items} />
      </Radix.Portal>
    </Radix.Root>
  );
}

interface MenuAtProps {
  /** Has an id and a label. What it stands at; it has the focus again afterwards, unless what was chosen takes it. */
  readonly anchor: HTMLElement;
  readonly items: readonly MenuItem[];
  onClose(): void;
}

/** The same, open, for a button that is one of many: a thousand rows do not have a menu each. */
export function MenuAt({ anchor, items, onClose }: MenuAtProps) {
  const { left, top, width, height } = anchor.getBoundingClientRect();
  return (
    <Radix.Root modal={false} open onOpenChange={(isOpen) => isOpen || onClose()}>
      <Radix.Trigger asChild>
        <button
          type="button"
          className="menu-anchor"
          tabIndex={-1}
          aria-hidden="true"
          style={{ left, top, width, height }}
        />
      </Radix.Trigger>
      <Radix.Portal container={document.querySelector('main')}>
        <Items
          items={items}
          labelledBy={anchor.id}
          onClosed={(event) => {
            event.preventDefault();
            // A dialog that was opened has it already.
            if (document.activeElement === document.body) anchor.closest<HTMLElement>('[tabindex="0"]')?.focus();
          }}
        />
      </Radix.Portal>
    </Radix.Root>
  );
}

interface ItemsProps {
  readonly items: readonly MenuItem[];
  readonly labelledBy?: string;
  onClosed?(event: Event): void;
}

const Items = ({ items, labelledBy, onClosed }: ItemsProps) => (
  <Radix.Content
    className="menu"
    align="end"
    sideOffset={4}
    {...(labelledBy === undefined ? {} : { 'aria-labelledby': labelledBy })}
    {...(onClosed ? { onCloseAutoFocus: onClosed } : {})}
  >
    {items.map(({ title, icon, tone, isDisabled, run }) => (
      <Radix.Item key={title} className={tone} disabled={isDisabled} onSelect={run}>
        {icon && <Icon name={icon} />}
        {title}
      </Radix.Item>
    ))}
  </Radix.Content>
);
