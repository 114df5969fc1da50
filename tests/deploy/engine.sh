# Sourced by tests that need containers: starts a Docker engine with folders, socket and network of its own, publishes on
# loopback only, leaves the firewall alone, and stops it at the end. No image is pulled: debootstrap makes a bare Debian.
# It needs root and Debian's package sources; it installs docker.io and debootstrap if they are missing.
# The sourcing script sets BRIDGE and NETWORK, which name the engine's own network so that another engine's stays as it is.
# Exit codes: 2 not root, 3 the engine does not come up. Limits: 60 s for the engine, STEP_MAX for a step.
# shellcheck shell=bash

readonly ENGINE_WAIT=60 NO_ENGINE=3
if [ "$(id -u)" != 0 ]; then
  echo "this makes systems and starts a Docker engine: run it as root"
  exit 2
fi
unset DATABASE_URL METERHOUSE_TEST_IMAGE METERHOUSE_PG_BIN RUST_BACKTRACE
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 DOCKER_BUILDKIT=0

work=$(mktemp -d /var/tmp/mh-containers-XXXXXX)
chmod 0755 "$work"
engine=
bridge=

# ended PID SECONDS: whether the process ends within that time.
ended() {
  local i
  for ((i = 0; i < $2 * 10; i++)); do
    kill -0 "$1" 2>/dev/null || return 0
    sleep 0.1
  done
  return 1
}

clean_up() {
  local status=$? mount
  trap - EXIT INT TERM
  if [ -n "$engine" ] && kill -0 "$engine" 2>/dev/null; then
    docker ps --quiet | xargs --no-run-if-empty docker kill >/dev/null 2>&1 || true
    kill "$engine"
    ended "$engine" 60 || { kill -KILL "$engine"; echo "the Docker engine had to be killed"; }
  fi
  if [ -n "$bridge" ]; then ip link delete "$bridge" || true; fi
  # Mounts that a failed step left, the deepest first.
  awk -v work="$work/" 'index($2, work) == 1 { print $2 }' /proc/mounts | sort -r | while read -r mount; do
    umount "$mount" || umount --lazy "$mount"
  done
  rm -rf "$work"
  exit "$status"
}
trap clean_up EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

step() { timeout --kill-after=30 "$STEP_MAX" "$@"; }

# within WHAT SECONDS COMMAND…: tries until it succeeds.
within() {
  local what=$1 until=$((SECONDS + $2))
  shift 2
  until "$@"; do
    if [ "$SECONDS" -ge "$until" ]; then
      echo "not in time: $what"
      return 1
    fi
    sleep 0.2
  done
}

install_tools() {
  local missing=()
  command -v dockerd >/dev/null || missing+=(docker.io)
  command -v debootstrap >/dev/null || missing+=(debootstrap)
  command -v ip >/dev/null || missing+=(iproute2)
  step apt-get -q update >"$work/apt.log" 2>&1 || return
  if [ "${#missing[@]}" = 0 ]; then return; fi
  step apt-get -q install -y --no-install-recommends "${missing[@]}" >>"$work/apt.log" 2>&1
}

# The engine, with nothing of its own outside $work.
start_engine() {
  export DOCKER_HOST=unix://$work/docker.sock
  ip link add "$BRIDGE" type bridge || return
  bridge=$BRIDGE
  ip address add "$NETWORK" dev "$BRIDGE" && ip link set "$BRIDGE" up || return
  dockerd --data-root "$work/engine" --exec-root "$work/exec" --pidfile "$work/docker.pid" --host "$DOCKER_HOST" \
    --bridge "$BRIDGE" --ip 127.0.0.1 --iptables=false --ip-forward=false >"$work/dockerd.log" 2>&1 &
  engine=$!
  local until=$((SECONDS + ENGINE_WAIT))
  until docker info >"$work/info" 2>&1; do
    if [ "$SECONDS" -ge "$until" ] || ! kill -0 "$engine" 2>/dev/null; then return 1; fi
    sleep 0.2
  done
  echo "the Docker engine is $(docker version --format '{{.Server.Version}}')"
}

# need_engine: ends with NO_ENGINE where none comes up.
need_engine() {
  if install_tools && start_engine; then return; fi
  echo "no Docker engine comes up here, so nothing ran in a container:"
  tail -n 20 "$work/apt.log" "$work/dockerd.log" 2>/dev/null || true
  exit "$NO_ENGINE"
}

# bare_debian SUITE ROOT [PACKAGES]: a bare Debian in a folder.
bare_debian() {
  local suite=$1 root=$2 mirror script=/usr/share/debootstrap/scripts/$1
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Label: Debian' | sort -u | head -n 1)
  if [ ! -e "$script" ]; then script=/usr/share/debootstrap/scripts/sid; fi
  step debootstrap --variant=minbase ${3:+--include="$3"} "$suite" "$root" "$mirror" "$script" >"$work/debootstrap.log" 2>&1 || {
    tail -n 20 "$work/debootstrap.log"
    return 1
  }
  printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
  chmod 0755 "$root/usr/sbin/policy-rc.d"
}

# import_postgres ROOT IMAGE: the image takes the variables and the command of the official images: POSTGRES_PASSWORD or
# POSTGRES_PASSWORD_FILE, POSTGRES_DB, and scripts in /docker-entrypoint-initdb.d for a new data folder.
import_postgres() {
  local root=$1 image=$2
  cp tests/deploy/postgres-entry "$root/entry" && chmod 0755 "$root/entry" || return
  rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/* "$root"/var/lib/postgresql/*
  # As in the official images: a file system in memory over this folder takes its mode, and belongs to root.
  chmod 3777 "$root/run/postgresql" || return
  local programs
  programs=$(cd "$root" && echo usr/lib/postgresql/*/bin)
  tar -C "$root" -c . | step docker import --change 'ENTRYPOINT ["/entry"]' --change 'CMD ["postgres"]' \
    --change "ENV PATH=/$programs:/usr/sbin:/usr/bin:/sbin:/bin" --change 'EXPOSE 5432' - "$image" >/dev/null
}

# The containers are gone soon after the processes that started them.
none_left() {
  local until=$((SECONDS + 30))
  while [ -n "$(docker ps --all --quiet)" ]; do
    if [ "$SECONDS" -ge "$until" ]; then
      echo "containers were left:"
      docker ps --all
      return 1
    fi
    sleep 0.2
  done
}
