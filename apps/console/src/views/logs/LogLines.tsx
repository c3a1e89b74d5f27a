import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { visible } from '../../parts/text.js';
import { t } from '../../texts/texts.js';
import { parts, type LogLine } from './log-buffer.js';
import type { Source } from './sources.js';

const LINE_HEIGHT = 18;
const OVERSCAN = 30;
/** Real distance from the end, in px, within which one is at the end. */
const NEAR = 30;
/** Characters of a line that are shown: the rest is in the download. */
const MAX_SHOWN = 4_000;

interface LogLinesProps {
  readonly lines: readonly LogLine[];
  readonly sources: readonly Source[];
  readonly pattern: RegExp | undefined;
  readonly isWrapped: boolean;
  readonly showsTimes: boolean;
  readonly isFollowing: boolean;
  onFollow(isFollowing: boolean): void;
}

/** Lines, of which only the visible ones are in the page. Scrolling up stops following; the end takes it up again. */
export function LogLines({ lines, sources, pattern, isWrapped, showsTimes, isFollowing, onFollow }: LogLinesProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: OVERSCAN,
  });
  useEffect(() => {
    if (isFollowing && lines.length > 0) virtual.scrollToIndex(lines.length - 1, { align: 'end' });
  }, [isFollowing, lines, virtual]);
  const lastTop = useRef(0);
  const onScroll = (): void => {
    const { scrollTop, scrollHeight, clientHeight } = scroller.current!;
    const isAtEnd = scrollHeight - scrollTop - clientHeight < NEAR;
    if (isFollowing && scrollTop < lastTop.current - 1 && !isAtEnd) onFollow(false);
    else if (!isFollowing && isAtEnd && scrollTop > lastTop.current) onFollow(true);
    lastTop.current = scrollTop;
  };
  return (
    <div
      ref={scroller}
      className={`log-lines ${isWrapped ? 'is-wrapped' : ''}`}
      tabIndex={0}
      role="region"
      aria-label={t.logs.lines}
      onScroll={onScroll}
    >
      <div style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {virtual.getVirtualItems().map((item) => {
          const { source, at, text } = lines[item.index]!;
          return (
            <div
              key={item.key}
              ref={isWrapped ? virtual.measureElement : undefined}
              data-index={item.index}
              className="log-line"
              data-source={source % 8}
              style={{ transform: `translateY(${item.start}px)` }}
            >
              {showsTimes && <time>{visible(at.slice(11, 23))}</time>}
              {sources.length > 1 && (
                <b title={sources[source]?.pod}>
                  {visible(sources[source]?.pod ?? '')}/{visible(sources[source]?.container ?? '')}
                </b>
              )}
              <span>
                {parts(text.slice(0, MAX_SHOWN), pattern).map((part, i) =>
                  part.isMatch ? <mark key={i}>{visible(part.text)}</mark> : visible(part.text),
                )}
              </span>
            </div>
          );
        })}
      </div>
    </div>
  );
}
