#!/bin/sh
# Draws the pictures of this folder anew, all or those whose names are given: make pictures, NAMES="view edit".
# They are the same to the bit until what they show has changed; look at those that have.
set -e
throng=${THRONG:-build/throng}
folder=scenarios/pictures
names=$*
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

wanted() {
    [ -z "$names" ] || case " $names " in *" $1 "*) ;; *) return 1 ;; esac
}

# NAME SCENARIO [OPTIONS]
run() {
    name=$1
    shift
    ! wanted "$name" || "$throng" run "scenarios/$@" --out "$scratch" --png "$folder/$name.png" > "$scratch/$name.txt"
}

# NAME COMMAND [OPTIONS]
window() {
    name=$1
    shift
    ! wanted "$name" || "$throng" "$@" --width 1280 --height 720 --screenshot "$folder/$name.png"
}

run cluttered cluttered.lua --at 40
run crossing_manners crossing_manners.lua
run evacuation evacuation.lua
run high_density high_density.lua --set groups=2 --set count=700 --set density=0.7 --at 60
run industrial industrial.lua --at 40
run junction tutorial/11_a_junction.lua --at 35
run local_map temperaments.lua --at 10 --probe 1
run panic panic.lua --at 20
run player player.lua --set east=1.8 --at 8
run shut_in shut_in.lua --at 20
run sway sway.lua
run temperaments temperaments.lua
run tower tower.lua --seconds 30 --at 30
run zombies zombies.lua --set people=400 --set zombies=5 --at 14

step="click:85,700 wait:5"
window view view scenarios/evacuation.lua --at 13.2 --colour frustration --do "wheel:835,545,7 drag:300,450,-110,520 \
key:T $step $step $step $step $step $step $step $step click:545,403 $step $step move:300,600 wait:30"

window edit edit maps/museum.xml --do "key:W click:637,420 wait:4 click:637,537 wait:4 key:Escape wait:2 key:R \
click:700,62 wait:4 click:916,62 wait:4 click:981,113 wait:4 click:981,191 wait:4 move:694,191 wait:10"
