# shellcheck shell=bash
# Certificates and kubeconfigs of an instance. RSA keys: Java clients need an extra library for EC ones.

new_authority() { # folder
  openssl req -x509 -newkey rsa:2048 -nodes -days 3650 -subj /CN=middleware-local-ca -keyout "$1/ca.key" -out "$1/ca.crt" \
    -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign,cRLSign
  openssl genrsa -out "$1/sa.key" 2048
  openssl rsa -in "$1/sa.key" -pubout -out "$1/sa.pub"
}

new_certificate() { # folder, name, subject, [subjectAltName]
  local usage='extendedKeyUsage=clientAuth,serverAuth\nkeyUsage=digitalSignature,keyEncipherment\n'
  openssl req -newkey rsa:2048 -nodes -keyout "$1/$2.key" -subj "$3" -out "$1/$2.csr"
  openssl x509 -req -in "$1/$2.csr" -CA "$1/ca.crt" -CAkey "$1/ca.key" -days 3650 -out "$1/$2.crt" \
    -set_serial "0x$(openssl rand -hex 8)" -extfile <(printf "$usage%s\n" "${4:+subjectAltName=$4}")
  rm "$1/$2.csr"
}

new_pki() { # folder
  local names=DNS:localhost name
  for name in kubernetes kubernetes.default kubernetes.default.svc kubernetes.default.svc.cluster.local; do
    names+=,DNS:$name
  done
  new_authority "$1"
  new_certificate "$1" server /CN=kube-apiserver "$names,IP:127.0.0.1,IP:$server_host,IP:10.96.0.1"
  new_certificate "$1" admin /O=system:masters/CN=local-admin
  new_certificate "$1" kube-controller-manager /CN=system:kube-controller-manager
  new_certificate "$1" kube-scheduler /CN=system:kube-scheduler
  new_certificate "$1" kube-proxy /CN=system:kube-proxy
}

ensure_pki() { # whole or not at all
  [[ ! -d $pki ]] || return 0
  rm -rf "$pki.new"
  mkdir -p "$pki.new"
  chmod 700 "$pki.new"
  new_pki "$pki.new" >"$pki.new/log" 2>&1 || die "openssl could not make the certificates: $(tail -1 "$pki.new/log")"
  mv "$pki.new" "$pki"
  local name
  for name in admin kube-controller-manager kube-scheduler kube-proxy; do certificate_kubeconfig "$name"; done
}

write_kubeconfig() { # name, the user's credentials as a YAML map in flow style
  (
    umask 077
    cat >"$instance_dir/$1.kubeconfig" <<YAML
apiVersion: v1
kind: Config
current-context: local
contexts: [{name: local, context: {cluster: local, user: $1}}]
clusters:
- name: local
  cluster: {server: "https://$(address kube-apiserver)", certificate-authority-data: $(base64 -w0 "$pki/ca.crt")}
users: [{name: $1, user: $2}]
YAML
  )
}

certificate_kubeconfig() { # name
  write_kubeconfig "$1" \
    "{client-certificate-data: $(base64 -w0 "$pki/$1.crt"), client-key-data: $(base64 -w0 "$pki/$1.key")}"
}

# Service account tokens go inline: the engine's Kubernetes client does not read a tokenFile.
token_kubeconfig() { # name; for the service account middleware-<name>
  local token
  token=$(kube -n middleware-system create token "middleware-$1" --duration=720h 2>&1) ||
    die "could not make a token for the service account middleware-$1 ($token): run dev/up first"
  write_kubeconfig "$1" "{token: $token}"
}
