import { quoteForShell } from '../operations/words.ts'
import { valueCases } from './shell-cases.ts'
import type { CompletionTree } from './tree.ts'

/** A script that completes `rivalscope` in zsh, with what each word is for. It is self-contained and starts no process. */
export function zshScript(trees: readonly CompletionTree[]): string {
  const cases = (entries: (tree: CompletionTree) => readonly { name: string; description: string }[]) =>
    trees
      .filter((tree) => entries(tree).length > 0)
      .map((tree) => {
        const words = entries(tree).map(({ name, description }) =>
          quoteForShell(`${name.replaceAll(':', '\\:')}:${description}`),
        )
        return `    ${quoteForShell(tree.path)})\n      reply=(\n        ${words.join('\n        ')}\n      ) ;;`
      })
      .join('\n')
  return `#compdef rivalscope
# Completion of rivalscope for zsh. Made by: rivalscope completion zsh

_rivalscope_commands() {
  case $1 in
${cases(({ commands }) => commands)}
    *) reply=() ;;
  esac
}

_rivalscope_options() {
  case $1 in
${cases(({ options }) => options)}
    *) reply=() ;;
  esac
}

_rivalscope_value() {
  case $1 in
${valueCases(trees)}
    *) REPLY='' ;;
  esac
}

_rivalscope() {
  local at='' option='' flag='' place=0 index word REPLY
  local -a reply choices
  for ((index = 2; index < CURRENT; index++)); do
    word=$words[index] flag=''
    if [[ -n $option ]]; then option=''; continue; fi
    case $word in
      -*=*) ;;
      -*)
        _rivalscope_value "$at $word"
        case $REPLY in
          '') ;;
          optional) if ((index == CURRENT - 1)); then flag=$word; elif [[ $words[index+1] == (true|false) ]]; then option=$word; fi ;;
          *) option=$word ;;
        esac ;;
      *)
        _rivalscope_commands "$at"
        if [[ -n \${reply[(r)\${word}:*]} ]]; then at="\${at:+$at }$word"; else ((place++)); fi ;;
    esac
  done

  if [[ -n $option ]]; then
    _rivalscope_value "$at $option"
  elif [[ $PREFIX == -*=* ]]; then
    _rivalscope_value "$at \${PREFIX%%=*}"
    compset -P '*='
  elif [[ $PREFIX == -* ]]; then
    _rivalscope_options "$at"
    _describe -o option reply
    return
  elif [[ -n $flag ]]; then
    REPLY=optional
  else
    _rivalscope_commands "$at"
    if (( $#reply )); then _describe command reply; return; fi
    _rivalscope_value "$at #$place"
  fi

  case $REPLY in
    words\\ *) choices=(\${=REPLY#* }); compadd -a choices ;;
    optional) compadd true false ;;
    list\\ *) choices=(\${=REPLY#* }); compset -P '*,'; compadd -q -S , -a choices ;;
    profiles) choices=(\${(f)"$(rivalscope profile list 2> /dev/null | sed 's/^..//; s/ .*//')"}); compadd -a choices ;;
    files) _files ;;
    json) if compset -P @; then _files; else compadd -S '' @; fi ;;
  esac
}

if [[ $funcstack[1] == _rivalscope ]]; then _rivalscope "$@"; else compdef _rivalscope rivalscope; fi
`
}
