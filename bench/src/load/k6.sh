# Runs k6 in a temporary folder, which is removed with it: `sh -c "$(cat k6.sh)" k6 SCRIPT_BYTES PLAN_BYTES LEASE_S OPTION…`.
# The script and its plan come on stdin, followed by at least one byte every LEASE_S seconds, or k6 is killed. Prints
# k6's pid, its output, and the lines of its console.
script=$1 plan=$2 lease=$3
shift 3
folder=$(mktemp -d "${TMPDIR:-/tmp}/overhead-k6-XXXXXX") && cd "$folder" || exit 1
exec 3<&0
head -c "$script" <&3 > script.mjs && head -c "$plan" <&3 > plan.json && : > console
k6 run --quiet --no-usage-report --address '' --log-format raw --console-output console "$@" script.mjs < /dev/null &
k6=$!
echo "$k6"
{
  while [ -n "$(timeout "$lease" head -c 1 <&3)" ]; do :; done
  kill -9 "$k6"
  rm -rf "$folder"
} > /dev/null 2>&1 &
watch=$!
wait "$k6"
ended=$?
cat console
kill "$watch"
rm -rf "$folder"
exit "$ended"
