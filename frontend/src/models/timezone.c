//! uses: tzset
// The time zone, as the C library's variables show it. Names of zones are not modelled.

int daylight;
long timezone;

// Over-approximated: any zone.
void tzset(void) {
  daylight = __monabs_nondet_bool();
  timezone = __monabs_guess_long("the time zone");
}
