// Every touching contact of grains, with each other and with walls, one after the other.
#ifndef ERGI_CONTACTS_H
#define ERGI_CONTACTS_H

#include "erg/world.h"

// `a` and `b` are the numbers of the spheres; `b` is UINT32_MAX at a wall. The order depends on the
// state of the world alone, not on the number of threads.
typedef void (*ergi_contact_visitor)(void *user, const erg_contact *contact, uint32_t a,
                                     uint32_t b);

void ergi_contacts_visit(const erg_world *world, ergi_contact_visitor visit, void *user);

#endif
