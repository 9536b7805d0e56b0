#!/bin/sh
# Tells the service by which name and password phones get into the table's own Wi-Fi, while it is on.
# NetworkManager calls this as root, with the interface and what happened to it.
[ "$CONNECTION_ID" = companion-table ] || exit 0
told=/run/companion-wifi
case "$2" in
up)
  umask 0027
  nmcli --show-secrets --escape no --get-values 802-11-wireless.ssid,802-11-wireless-security.psk \
    connection show companion-table >"$told.new" || exit 1
  chgrp companion "$told.new" && mv "$told.new" "$told"
  ;;
down)
  rm -f "$told"
  ;;
esac
