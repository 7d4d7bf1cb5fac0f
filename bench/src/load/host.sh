# Prints what a machine of a run has, one `name=value` per line, with an empty value where the machine does not tell. Each
# argument has names of programs and patterns of paths, of which one is enough: the indices of missing ones are printed.
read_file() { cat "$1" 2> /dev/null; }
echo "time=$(date +%s%N)"
# The address of the machine that asks, as this one sees it.
echo "address=${SSH_CONNECTION%% *}"
echo "k6=$(k6 version 2> /dev/null | sed -n 's/^k6 \(v[^ ]*\).*/\1/p')"
echo "node=$(node --version 2> /dev/null)"
echo "lacking=$(node --eval '
const { globSync } = require("node:fs");
const folders = process.env.PATH.split(":");
const pathsOf = (name) => (name[0] === "/" ? [name] : folders.map((folder) => folder + "/" + name));
const isHere = (need) => need.split("|").flatMap(pathsOf).some((path) => globSync(path).length > 0);
console.log(process.argv.slice(1).flatMap((need, at) => (isHere(need) ? [] : [at])).join(" "));
' "$@" 2> /dev/null)"
echo "cores=$(nproc)"
echo "files=$(ulimit -Hn)"
echo "ports=$(read_file /proc/sys/net/ipv4/ip_local_port_range)"
echo "reserved=$(read_file /proc/sys/net/ipv4/ip_local_reserved_ports)"
echo "timeWait=$(sed -n 's/^TCP:.* tw \([0-9]*\).*/\1/p' /proc/net/sockstat)"
echo "backlog=$(read_file /proc/sys/net/core/somaxconn)"
echo "synchronised=$(timedatectl show --property=NTPSynchronized --value 2> /dev/null)"
echo "governor=$(read_file /sys/devices/system/cpu/cpu0/cpufreq/scaling_governor)"
