/* time_table.h - AOTIGEN_TIME: how long the launches took, as tables and events. Inside the library
 * only. */
#ifndef AOTIGEN_TIME_TABLE_H
#define AOTIGEN_TIME_TABLE_H

/* Writes the tables of all models of this process; called at its end, and by tests. A model that
 * another thread is just adding to is left out. */
void ag_time_table_write(void);

#endif
