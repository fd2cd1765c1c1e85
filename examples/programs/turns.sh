# Every task on the next host in turn, as a program for gridsat: cmd:sh turns.sh
# Needs no other program than grep and wc; works where every task can run on every host.
while read -r line; do
  tasks=$(printf '%s' "$line" | grep -o '"level":' | wc -l)
  hosts=$(printf '%s' "$line" | grep -o '"delay":' | wc -l)
  answer="" task=0
  while [ "$task" -lt "$tasks" ]; do
    answer="$answer,[$task,$((task % hosts))]"
    task=$((task + 1))
  done
  echo "{\"assign\": [${answer#,}]}"
done
