import { quoteForShell } from '../operations/words.ts'
import { valueCases } from './shell-cases.ts'
import type { CompletionTree } from './tree.ts'

/** A script that completes `rivalscope` in bash 3.2 and newer. It is self-contained and starts no process. */
export function bashScript(trees: readonly CompletionTree[]): string {
  const cases = (words: (tree: CompletionTree) => readonly string[]) =>
    trees
      .filter((tree) => words(tree).length > 0)
      .map((tree) => `    ${quoteForShell(tree.path)}) REPLY=${quoteForShell(words(tree).join(' '))} ;;`)
      .join('\n')
  return `# Completion of rivalscope for bash. Made by: rivalscope completion bash

_rivalscope_commands() {
  case $1 in
${cases(({ commands }) => commands.map(({ name }) => name))}
    *) REPLY='' ;;
  esac
}

_rivalscope_options() {
  case $1 in
${cases(({ options }) => options.map(({ name }) => name))}
    *) REPLY='' ;;
  esac
}

_rivalscope_value() {
  case $1 in
${valueCases(trees)}
    *) REPLY='' ;;
  esac
}

_rivalscope() {
  # Split by blanks only: bash itself also splits at = and :, which stand in our words.
  local line=\${COMP_LINE:0:COMP_POINT} cur='' at='' option='' flag='' place=0 index word REPLY
  local -a words
  read -ra words <<< "$line"
  [[ $line == *[[:blank:]] ]] && words+=('')
  cur=\${words[\${#words[@]}-1]}
  COMPREPLY=()
  for ((index = 1; index < \${#words[@]} - 1; index++)); do
    word=\${words[index]} flag=''
    if [[ -n $option ]]; then option=''; continue; fi
    case $word in
      -*=*) ;;
      -*)
        _rivalscope_value "$at $word"
        case $REPLY in
          '') ;;
          optional)
            if ((index == \${#words[@]} - 2)); then flag=$word
            elif [[ \${words[index+1]} == true || \${words[index+1]} == false ]]; then option=$word; fi ;;
          *) option=$word ;;
        esac ;;
      *)
        _rivalscope_commands "$at"
        if [[ " $REPLY " == *" $word "* ]]; then at="\${at:+$at }$word"; else ((place++)); fi ;;
    esac
  done

  if [[ -n $option ]]; then
    _rivalscope_value "$at $option"
  elif [[ $cur == -*=* ]]; then
    _rivalscope_value "$at \${cur%%=*}"
  elif [[ $cur == -* ]]; then
    _rivalscope_options "$at"
    REPLY="words $REPLY"
  elif [[ -n $flag ]]; then
    REPLY=optional
  else
    _rivalscope_commands "$at"
    if [[ -n $REPLY ]]; then REPLY="words $REPLY"; else _rivalscope_value "$at #$place"; fi
  fi
  local before=''
  [[ $cur == -*=* ]] && before="\${cur%%=*}=" cur=\${cur#*=}

  case $REPLY in
    words\\ *) COMPREPLY=($(compgen -W "\${REPLY#* }" -- "$cur")) ;;
    optional) COMPREPLY=($(compgen -W 'true false' -- "$cur")) ;;
    list\\ *)
      [[ $cur == *,* ]] && before="$before\${cur%,*},"
      COMPREPLY=($(compgen -W "\${REPLY#* }" -- "\${cur##*,}"))
      compopt -o nospace 2> /dev/null ;;
    profiles) COMPREPLY=($(compgen -W "$(rivalscope profile list 2> /dev/null | sed 's/^..//; s/ .*//')" -- "$cur")) ;;
    files|json)
      local IFS=$'\\n'
      if [[ $REPLY == files ]]; then
        COMPREPLY=($(compgen -f -- "$cur"))
        compopt -o filenames 2> /dev/null
      elif [[ $cur == @* ]]; then
        # Told that these are files, bash would write \\@, which is no longer seen as the beginning of one.
        before="$before@" COMPREPLY=($(compgen -f -- "\${cur#@}"))
        for ((index = 0; index < \${#COMPREPLY[@]}; index++)); do
          word=\${COMPREPLY[index]}
          printf -v COMPREPLY[index] %q "$word"
          if [[ -d $word ]]; then COMPREPLY[index]+=/; compopt -o nospace 2> /dev/null; fi
        done
      elif [[ -z $cur ]]; then
        COMPREPLY=(@)
        compopt -o nospace 2> /dev/null
      fi ;;
  esac

  # Bash puts a reply in the place of what stands after the last of its own word breaks.
  local typed=$before\${cur##*,} skip=''
  [[ $REPLY == list* ]] || typed=$before$cur
  [[ $COMP_WORDBREAKS == *:* && $typed == *:* ]] && skip=\${typed%"\${typed##*:}"}
  [[ $COMP_WORDBREAKS == *=* && -z $skip && $typed == *=* ]] && skip=\${typed%"\${typed##*=}"}
  for ((index = 0; index < \${#COMPREPLY[@]}; index++)); do
    word=$before\${COMPREPLY[index]}
    COMPREPLY[index]=\${word#"$skip"}
  done
}

complete -F _rivalscope rivalscope
`
}
