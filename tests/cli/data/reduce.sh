# For numerics.test: same ATTRIBUTES BLOCKS reduces four slices of 2 x 2 tiles to BLOCKS with both numerics, and compares.
same() {
  sed -e '/ q0:/s/t: 1/t: 4/' -e "s/t: 1, mblock: .1, 1., ublock: .2, 2./$2/" \
    -e "s/type: datacopy/type: reduce, attributes: {type: max, $1}/" data/small.yaml >reduce.yaml
  for numerics in reference device; do
    hoist run -q -i q0=random:1 --numerics $numerics -o $numerics reduce.yaml >/dev/null || return
  done
  cmp reference/q1.npy device/q1.npy && echo "$1: the same"
}
