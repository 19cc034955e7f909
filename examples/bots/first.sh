#!/bin/sh
# A bot for any system, with nothing but a shell and sed: it builds whenever it can, and otherwise does whatever
# stands first in the list. Every message is one line, with its keys always in the same order and without spaces.

answer() { # the number of the move, and the choice
    printf '{"type":"action","move":%s,%s}\n' "$1" "$2"
}

while IFS= read -r line; do
    case $line in
        '{"type":"hello",'*)
            echo '{"type":"ready","name":"first"}' ;;
        '{"type":"choose",'*)
            move=$(printf '%s\n' "$line" | sed 's/^{"type":"choose","move":\([0-9]*\),.*/\1/')
            build=$(printf '%s\n' "$line" | sed -n 's/.*{\("do":"build",[^}]*\)}.*/\1/p')
            answer "$move" "${build:-\"choose\":0}" ;;
    esac
done
