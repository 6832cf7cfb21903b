/* fake_events.h - a part of fake_cuda.c: events, the kernel that holds a stream, the device's
 * clock, and a trace of what each stream was given.
 *
 * The clock stands still but for what a test's kernels take (fake_pass) and a microsecond for each
 * event. A hold does not wait: a test says whether the host came late (fake_hold_late). */

typedef struct fake_event {
  atomic_int given, done; /* how many times a stream was given it, and came to it */
  long long at;           /* nanoseconds */
} fake_event;

enum { TRACED = 4096 };
static struct {
  void *stream;
  char what;
} traced[TRACED];
static int ntraced;
static atomic_llong now_ns;
static atomic_bool holds_are_late;

void fake_pass(long ns) { atomic_fetch_add(&now_ns, ns); }
void fake_hold_late(bool late) { holds_are_late = late; }

static void note(void *stream, char what) {
  pthread_mutex_lock(&lock);
  if (ntraced < TRACED) {
    traced[ntraced].stream = stream;
    traced[ntraced++].what = what;
  }
  pthread_mutex_unlock(&lock);
}

/* What the stream was given since the last call, a letter each: H a hold, E an event, S another
 * kernel of the library, K work of the test. */
const char *fake_trace(void *stream) {
  static char text[TRACED + 1];
  int n = 0, left = 0;
  pthread_mutex_lock(&lock);
  for (int i = 0; i < ntraced; i++)
    if (traced[i].stream == stream)
      text[n++] = traced[i].what;
    else
      traced[left++] = traced[i];
  ntraced = left;
  pthread_mutex_unlock(&lock);
  text[n] = 0;
  return text;
}

static bool is_hold(const char *name) { return !strcmp(name, AGK_HOLD); }

__attribute__((unused)) static void hold(const agk_hold *h) {
  if (holds_are_late) *h->late = h->until;
}

int cuEventCreate(void **event, unsigned flags) {
  CALL(true, true);
  if (flags) fault("an event that keeps no time", __func__);
  *event = calloc(1, sizeof(fake_event));
  return *event ? 0 : OUT_OF_MEMORY;
}

static void stamp(void *of) {
  fake_event *e = *(fake_event **)of;
  e->at = atomic_fetch_add(&now_ns, 1000) + 1000;
  e->done++;
}

int cuEventRecord(void *event, void *stream) {
  CALL(true, false);
  if (capturing && stream == captured_stream) fault("an event in a capture", __func__);
  note(stream, 'E');
  ((fake_event *)event)->given++;
  fake_work(stream, stamp, &event, sizeof event);
  return 0;
}

int cuEventQuery(void *event) {
  CALL(true, true);
  const fake_event *e = event;
  return e->done < e->given ? 600 : 0;
}

int cuEventElapsedTime(float *ms, void *from, void *to) {
  CALL(true, true);
  const fake_event *a = from, *b = to;
  if (!a->given || !b->given) return INVALID_VALUE;
  if (a->done < a->given || b->done < b->given) return 600;
  *ms = (float)((double)(b->at - a->at) / 1e6);
  return 0;
}
