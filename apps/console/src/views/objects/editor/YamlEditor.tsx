import { closeBrackets } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { foldGutter, indentOnInput } from '@codemirror/language';
import { lintGutter } from '@codemirror/lint';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState, StateEffect } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { lintAgain, yamlHelp, yamlLook } from './extensions.js';
import { useSchemas } from './useSchemas.js';

interface YamlEditorProps {
  readonly clusterId: string;
  readonly label: string;
  readonly text: string;
  readonly isReadOnly?: boolean;
  onChange(text: string): void;
}

/** An editor of manifests. Escape, then Tab leaves it; control characters are shown as such. */
export function YamlEditor({ clusterId, label, text, isReadOnly = false, onChange }: YamlEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const latest = useRef(onChange);
  latest.current = onChange;
  const { schemasOf, turn } = useSchemas(clusterId);
  // Schemas are several times as large as the page: they come when somebody begins to write, asks or points.
  const isTouched = useRef(false);
  useEffect(() => {
    const editing = [
      history(),
      drawSelection(),
      indentOnInput(),
      closeBrackets(),
      highlightActiveLine(),
      highlightSelectionMatches(),
      keymap.of([...defaultKeymap, ...searchKeymap, ...historyKeymap, indentWithTab]),
      EditorView.domEventHandlers({
        focus: (_event, own) => {
          if (isReadOnly || isTouched.current) return;
          isTouched.current = true;
          lintAgain(own);
        },
      }),
      yamlHelp(schemasOf, () => isTouched.current),
    ];
    const made = new EditorView({
      parent: host.current!,
      state: EditorState.create({
        doc: text,
        extensions: [
          lineNumbers(),
          foldGutter(),
          highlightSpecialChars(),
          EditorState.readOnly.of(isReadOnly),
          EditorView.editable.of(!isReadOnly),
          EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
          EditorView.updateListener.of((update) => update.docChanged && latest.current(update.state.doc.toString())),
          lintGutter(),
          yamlLook(),
        ],
      }),
    });
    // The text is there to be read first; what it takes to edit it comes behind.
    const timer = setTimeout(() => made.dispatch({ effects: StateEffect.appendConfig.of(editing) }));
    view.current = made;
    return () => {
      clearTimeout(timer);
      made.destroy();
    };
    // The text is the editor's own from here on; another one is put in below.
  }, [isReadOnly, label, schemasOf]);
  useEffect(() => {
    const editor = view.current;
    if (editor && editor.state.doc.toString() !== text)
      editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });
  }, [text]);
  useEffect(() => void (view.current && lintAgain(view.current)), [turn]);
  return <div ref={host} className="yaml-editor" />;
}
