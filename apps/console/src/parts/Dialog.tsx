import { Dialog as Radix } from 'radix-ui';
import { useState, type ReactNode } from 'react';
import { t } from '../texts/texts.js';
import { IconButton } from './Button.js';
import { findOpener, focusAgain } from './opener.js';

interface DialogProps {
  readonly title: string;
  readonly description?: string;
  readonly isOpen: boolean;
  readonly width?: 'narrow' | 'wide';
  onClose(): void;
  readonly children: ReactNode;
}

/** Above the page: holds the focus until Escape, the cross or its work is done; then it is where it was. */
export const Dialog = (props: DialogProps) => (props.isOpen ? <OpenDialog {...props} /> : null);

function OpenDialog({ title, description, width = 'narrow', onClose, children }: DialogProps) {
  // Radix would give it to a trigger of its own, which no dialog here has.
  const [opener] = useState(findOpener);
  return (
    <Radix.Root open onOpenChange={(open) => open || onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="overlay" />
        <Radix.Content
          className={`dialog ${width}`}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            focusAgain(opener);
          }}
          {...(description ? {} : { 'aria-describedby': undefined })}
        >
          <header>
            <Radix.Title>{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton icon="close" label={t.common.close} />
            </Radix.Close>
          </header>
          {description && <Radix.Description>{description}</Radix.Description>}
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
