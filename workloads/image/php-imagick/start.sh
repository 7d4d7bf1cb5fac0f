#!/usr/bin/env bash
# nginx at HOST:PORT before php-fpm on a Unix socket, with WORKERS processes that are all there from the start.
# Their files are in a folder of their own. This becomes php-fpm, which would leave its process group were it not
# the first process of one; nginx is looked after by a child, and both end when either does.
set -euo pipefail
PATH="$PATH:/usr/sbin"
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$(mktemp -d "${TMPDIR:-/tmp}/php-imagick.XXXXXX")
socket="$folder/fpm.sock"
fpm=$(compgen -c php-fpm | sort --version-sort | tail -n 1)

cat > "$folder/fpm.conf" << CONF
[global]
error_log = $folder/fpm.log
daemonize = no
[pictures]
listen = $socket
pm = static
pm.max_children = $WORKERS
clear_env = no
catch_workers_output = yes
php_admin_value[error_log] = /dev/stderr
php_admin_value[log_errors] = on
php_admin_value[display_errors] = off
php_admin_value[memory_limit] = 256M
CONF
cat > "$folder/nginx.conf" << CONF
daemon off;
# One process, so that whoever finds the port finds all of nginx.
master_process off;
pid $folder/nginx.pid;
error_log stderr;
events { worker_connections 1024; }
http {
  access_log off;
  keepalive_requests 1000000;
  keepalive_timeout 600s;
  client_body_temp_path $folder/body;
  proxy_temp_path $folder/proxy;
  fastcgi_temp_path $folder/fastcgi;
  uwsgi_temp_path $folder/uwsgi;
  scgi_temp_path $folder/scgi;
  fastcgi_buffers 64 32k;
  server {
    listen $HOST:$PORT backlog=1024;
    location /image/file/ {
      fastcgi_pass unix:$socket;
      fastcgi_param SCRIPT_FILENAME $here/index.php;
      fastcgi_param REQUEST_METHOD \$request_method;
      fastcgi_param REQUEST_URI \$request_uri;
      fastcgi_param QUERY_STRING \$query_string;
    }
  }
}
CONF
as_root=()
if [ "$(id -u)" = 0 ]; then
  # As root both change to users that may not be able to read the pictures, unless they are told to stay.
  printf 'user = root\ngroup = root\n' >> "$folder/fpm.conf"
  sed -i '1i user root;' "$folder/nginx.conf"
  as_root=(--allow-to-run-as-root)
fi

end() {
  trap - EXIT TERM INT
  kill $(jobs -p) "$$" 2> /dev/null || true
  wait
  rm -rf "$folder"
}
# nginx comes once all processes of the pool are there, so that whoever finds it listening finds them all.
beside() {
  trap end EXIT
  trap 'exit 0' TERM INT
  until grep -q 'ready to handle connections' "$folder/fpm.log" 2> /dev/null; do
    kill -0 "$$" 2> /dev/null || { cat "$folder/fpm.log" >&2 || true; exit 1; }
    sleep 0.02
  done
  tail --pid="$$" -f /dev/null &
  nginx -e stderr -c "$folder/nginx.conf" &
  wait -n
}
beside &
exec "$fpm" --nodaemonize --fpm-config "$folder/fpm.conf" ${as_root[@]+"${as_root[@]}"}
