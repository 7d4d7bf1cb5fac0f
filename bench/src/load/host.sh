# Prints what a machine of a run has, a `name=value` a line; nothing after the sign where it does not tell.
read_file() { cat "$1" 2> /dev/null; }
echo "time=$(date +%s%N)"
# The address of the machine that asks, as this one sees it.
echo "address=${SSH_CONNECTION%% *}"
echo "k6=$(k6 version 2> /dev/null | sed -n 's/^k6 \(v[^ ]*\).*/\1/p')"
echo "cores=$(nproc)"
echo "files=$(ulimit -Hn)"
echo "ports=$(read_file /proc/sys/net/ipv4/ip_local_port_range)"
echo "reserved=$(read_file /proc/sys/net/ipv4/ip_local_reserved_ports)"
echo "timeWait=$(sed -n 's/^TCP:.* tw \([0-9]*\).*/\1/p' /proc/net/sockstat)"
echo "backlog=$(read_file /proc/sys/net/core/somaxconn)"
echo "synchronised=$(timedatectl show --property=NTPSynchronized --value 2> /dev/null)"
echo "governor=$(read_file /sys/devices/system/cpu/cpu0/cpufreq/scaling_governor)"
