# Runs node in a temporary folder, and removes that afterwards: `sh -c "$(cat on-host.sh)" sh CODE SECONDS`.
folder=$(mktemp -d "${TMPDIR:-/tmp}/overhead-host-XXXXXX") && cd "$folder" || exit 1
node --input-type=module --eval "$1" "$2"
ended=$?
rm -rf "$folder"
exit "$ended"
