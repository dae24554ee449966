"""Interim parser until the LALR grammar lands."""
from __future__ import annotations
import re
from fractions import Fraction
from qlc.diagnostics import Diagnostic, Span
from qlc.grammar import tree as t

class SyntaxProblem(Exception):
    def __init__(self, diagnostic): super().__init__(diagnostic.message); self.diagnostic=diagnostic

TOK=re.compile(r'''(?P<ws>\s+|--[^\n]*)|(?P<str>"(?:\\.|[^"\\])*")|(?P<date>[0-9]{4}-[0-9A-Za-z:+\-.]*)|(?P<num>-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)|(?P<bq>`[^`]+`)|(?P<name>[A-Za-z_@\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*)|(?P<param>\$[A-Za-z_][A-Za-z0-9_]*)|(?P<op><=|>=|!=|<>|==|[=<>()\[\],.%;*])''')
UNITS="b kb mb gb tb kib mib gib ms s sec second seconds min minute minutes h hour hours d day days week weeks m km mi mile miles % ft".split()
CAL={"minute","hour","day","week","month","quarter","year"}
class P:
    def __init__(s,src):
        s.src=src; s.toks=[]; pos=0
        while pos<len(src):
            m=TOK.match(src,pos)
            if not m: raise SyntaxProblem(Diagnostic("unexpected-character",f"unexpected character {src[pos]!r}",Span(pos,pos+1)))
            if m.lastgroup!="ws": s.toks.append((m.lastgroup,m.group(),m.start(),m.end()))
            pos=m.end()
        s.toks.append(("end","",len(src),len(src))); s.i=0
    def cur(s): return s.toks[s.i]
    def peek(s,k=1): return s.toks[min(s.i+k,len(s.toks)-1)]
    def kw(s,*w,k=0):
        for j,x in enumerate(w):
            g,v,*_=s.peek(k+j)
            if not(g in("name","op") and v.lower()==x): return False
        return True
    def eat(s,*w):
        if s.kw(*w): s.i+=len(w); return True
        return False
    def need(s,*w):
        if not s.eat(*w): s.fail(f"expected {' '.join(w)!r}")
    def fail(s,m):
        g,v,a,b=s.cur(); raise SyntaxProblem(Diagnostic("unexpected-token",f"{m}, found {v or 'the end'!r}",Span(a,max(b,a+1))))
    def sp(s,a): return Span(a,s.toks[s.i-1][3])
    def name(s):
        g,v,a,b=s.cur()
        if g=="name": s.i+=1; return t.Name(v,span=Span(a,b))
        if g=="bq": s.i+=1; return t.Name(v[1:-1],span=Span(a,b))
        s.fail("expected a name")
    def path(s):
        a=s.cur()[2]; segs=[s.seg()]
        while s.kw("."): s.i+=1; segs.append(s.seg())
        return t.Path(tuple(segs),span=s.sp(a))
    def seg(s):
        a=s.cur()[2]; n=s.name(); c=None
        if s.eat("["): c=s.cond(); s.need("]")
        return t.Segment(n,c,span=s.sp(a))
    def program(s):
        lets=[]
        while s.kw("let") :
            a=s.cur()[2]; s.i+=1; n=s.name(); s.need("=")
            v=t.Subquery(s.stmt()) if s.kw("find") or (s.kw("count") and s.peek()[0]=="name") else s.value()
            lets.append(t.Let(n,v,span=s.sp(a)))
        st=s.stmt(); s.eat(";")
        if s.cur()[0]!="end": s.fail("expected the end")
        return t.Program(tuple(lets),st)
    def stmt(s):
        a=s.cur()[2]
        if s.eat("find"):
            if s.peek()[1]=="(" : e=s.value()
            else: e=s.name()
            c=s.clauses()
            return t.Find(e,c.get("where"),c.get("sort",()),c.get("limit"),c.get("offset"),c.get("show",()),span=s.sp(a))
        if s.eat("get"):
            items=[s.getitem()]
            while s.eat(","): items.append(s.getitem())
            return t.Get(tuple(items),span=s.sp(a))
        ms=[s.measure()]
        while s.eat(","): ms.append(s.measure())
        if len(ms)==1 and ms[0].function=="count" and not s.kw("of"): pass
        else: s.need("of")
        e=s.name(); c=s.clauses()
        return t.Aggregate(tuple(ms),e,c.get("where"),c.get("by",()),c.get("having"),c.get("sort",()),c.get("limit"),c.get("offset"),span=s.sp(a))
    def getitem(s):
        if s.cur()[0] in("str",) or s.kw("(") or s.cur()[0]=="param" or (s.cur()[0]=="name" and s.peek()[1]=="("):
            v=s.value()
            if isinstance(v,t.Member): return v
            s.fail("expected .field")
        return s.path()
    def measure(s):
        a=s.cur()[2]
        f=s.cur()[1].lower()
        if f not in("count","sum","avg","min","max","median","percentile","distinct","share"): s.fail("expected a statement")
        s.i+=1
        if f=="count":
            if s.eat("(","*",")"): pass
            return t.Measure("count",span=s.sp(a))
        s.need("(")
        if f=="share": m=t.Measure("share",condition=s.cond())
        else:
            p=s.path(); arg=None
            if s.eat(","): arg=s.number()
            m=t.Measure(f,p,arg)
        s.need(")")
        return m
    def clauses(s):
        c={}
        while True:
            if s.eat("where"): c["where"]=s.cond()
            elif s.eat("having"): c["having"]=s.cond()
            elif s.eat("sort"):
                s.eat("by"); ks=[s.skey()]
                while s.eat(","): ks.append(s.skey())
                c["sort"]=tuple(ks)
            elif s.eat("limit"): c["limit"]=int(s.number().value)
            elif s.eat("offset"): c["offset"]=int(s.number().value)
            elif s.eat("show"):
                ps=[s.path()]
                while s.eat(","): ps.append(s.path())
                c["show"]=tuple(ps)
            elif s.eat("by"):
                gs=[s.group()]
                while s.eat(","): gs.append(s.group())
                c["by"]=tuple(gs)
            else: return c
    def group(s):
        a=s.cur()[2]
        if s.peek()[1]=="(" and s.cur()[0]=="name":
            f=s.cur()[1]; s.i+=2; p=s.path(); args=[]
            while s.eat(","): args.append(s.number())
            s.need(")"); g=t.Group(p,f,tuple(args))
        else: g=t.Group(s.path())
        if s.kw("top") and s.peek()[0]=="num": s.i+=1; g=t.Group(g.path,g.function,g.arguments,int(s.number().value))
        return t.Group(g.path,g.function,g.arguments,g.top,span=s.sp(a))
    def skey(s):
        a=s.cur()[2]
        if s.cur()[0]=="name" and s.peek()[1]=="(":
            f=s.cur()[1]
            k=s.measure() if f in("sum","avg","min","max","median","percentile","distinct","share","count") else s.group()
        else: k=s.path()
        d=False
        if s.eat("desc") or s.eat("descending"): d=True
        else: s.eat("asc") or s.eat("ascending")
        return t.SortKey(k,d,span=s.sp(a))
    def cond(s):
        a=s.cur()[2]; x=[s.conj()]
        while s.eat("or"): x.append(s.conj())
        return x[0] if len(x)==1 else t.Or(tuple(x),span=s.sp(a))
    def conj(s):
        a=s.cur()[2]; x=[s.neg()]
        while s.eat("and"): x.append(s.neg())
        return x[0] if len(x)==1 else t.And(tuple(j for i in x for j in (i.items if isinstance(i,t.And) else [i])),span=s.sp(a))
    def neg(s):
        a=s.cur()[2]
        if s.eat("not"): return t.Not(s.neg(),span=s.sp(a))
        if s.eat("("):
            c=s.cond(); s.need(")"); return c
        return s.atom()
    def atom(s):
        a=s.cur()[2]
        if (s.kw("mentions") or s.kw("about")) and s.peek()[0] in("str","param"):
            o=s.cur()[1]; s.i+=1; return t.EntityText(o,s.value(),span=s.sp(a))
        if s.cur()[0]=="name" and s.peek()[1]=="(" :
            f=s.cur()[1]
            if f in("weekday","hour_of_day"):
                s.i+=2; p=s.path(); s.need(")"); left=t.Cyclic(f,p,span=s.sp(a))
            else: left=s.measure()
        else: left=s.path()
        o0=s.cur()[2]
        def comp(op,v): return t.Comparison(left,op,v,span=s.sp(a),operator_span=Span(o0,o1))
        neg=False
        if s.kw("not") and not s.kw("not","in"): s.i+=1; neg=True
        def wrap(c): return t.Not(c,span=s.sp(a)) if neg else c
        for w,op in ((("!=",),"!="),(("<>",),"!="),(("<=",),"<="),((">=",),">="),(("=",),"="),(("==",),"="),(("<",),"<"),((">",),">"),(("is","not"),"!="),(("is",),"="),(("not","in"),"not in"),(("in",),"in"),(("has","all"),"has all"),(("has","any"),"has any"),(("has",),"has"),(("contains",),"contains"),(("starts","with"),"starts with"),(("ends","with"),"ends with"),(("like",),"like"),(("matches",),"matches"),(("mentions",),"mentions"),(("under","in"),"under in"),(("under",),"under")):
            if s.eat(*w):
                o1=s.toks[s.i-1][3]
                return wrap(comp(op,s.value()))
        if s.eat("between"):
            lo=s.value(); s.need("and"); hi=s.value(); return wrap(t.Between(left,lo,hi,span=s.sp(a)))
        if s.eat("missing"): return t.Presence(left,True,span=s.sp(a))
        if s.eat("exists"): return wrap(t.Presence(left,False,span=s.sp(a)))
        if s.eat("within"):
            n=s.number(); s.need("of"); s.need("("); la=s.number(); s.need(","); lo=s.number(); s.need(")")
            return wrap(t.Within(left,n,t.GeoPoint(la,lo),span=s.sp(a)))
        if isinstance(left,t.Path): return t.Bare(left,span=s.sp(a))
        s.fail("expected an operator")
    def number(s):
        g,v,a,b=s.cur()
        if g!="num": s.fail("expected a number")
        s.i+=1; val=float(v) if re.search("[.eE]",v) else int(v); u=None
        if s.cur()[1].lower() in UNITS and s.cur()[0] in("name","op"):
            from qlc.grammar.units import canonical
            u=canonical(s.cur()[1]); s.i+=1
        return t.Number(val,v,u,span=s.sp(a))
    def value(s):
        a=s.cur()[2]; v=s.base()
        if s.kw(".") and isinstance(v,(t.EntityLookup,t.Subquery,t.Parameter)):
            ns=[]
            while s.eat("."): ns.append(s.name())
            return t.Member(v,tuple(ns),span=s.sp(a))
        return v
    def base(s):
        g,v,a,b=s.cur(); sp=Span(a,b)
        if g=="str":
            s.i+=1
            import json
            return t.String(json.loads(v,strict=False),span=sp)
        if g=="date": s.i+=1; return t.DateLiteral(v,span=sp)
        if g=="num": return s.number()
        if g=="param": s.i+=1; return t.Parameter(v[1:],span=sp)
        if s.eat("["):
            items=[]
            while not s.kw("]"):
                items.append(s.value())
                if not s.eat(","): break
            s.need("]"); return t.ListValue(tuple(items),span=s.sp(a))
        if s.eat("("):
            st=s.stmt(); s.need(")"); return t.Subquery(st,span=s.sp(a))
        low=v.lower()
        if low in("true","false"): s.i+=1; return t.Boolean(low=="true",span=sp)
        if low=="now": s.i+=1; return t.Now(span=sp)
        if low in("today","yesterday","tomorrow"): s.i+=1; return t.Day(low,span=sp)
        if low in("this","last","next"):
            s.i+=1; n=None
            if s.cur()[0]=="num": n=int(s.cur()[1]); s.i+=1
            u=s.cur()[1].lower().rstrip("s"); s.i+=1
            if u not in CAL: s.fail("expected a unit of time")
            return t.RelativePeriod(low,u,n,span=s.sp(a))
        if g in("name","bq") and s.peek()[1]=="(":
            if low in CAL:
                s.i+=2; x=s.value(); s.need(")"); return t.PeriodOf(low,x,span=s.sp(a))
            n=s.name(); s.need("("); x=s.value(); s.need(")"); return t.EntityLookup(n,x,span=s.sp(a))
        if g in("name","bq"):
            return t.NameValue(s.path(),span=s.sp(a))
        s.fail("expected a value")

def parse(source): return P(source).program()

def q(n): return n.text if re.fullmatch(r"[^\W\d]\w*|[@_]\w*",n.text) else f"`{n.text}`"
def print_path(p): return ".".join(q(x.name)+(f"[{print_condition(x.narrowed)}]" if x.narrowed else "") for x in p.segments)
def print_value(v):
    match v:
        case t.String(): 
            import json
            return json.dumps(v.value,ensure_ascii=False)
        case t.Number(): return v.text+(f" {v.unit}" if v.unit else "")
        case t.Boolean(): return str(v.value).lower()
        case t.DateLiteral(): return v.text
        case t.Now(): return "now"
        case t.Day(): return v.which
        case t.RelativePeriod(): return f"{v.which} {v.unit}" if v.count is None else f"{v.which} {v.count} {v.unit}s"
        case t.PeriodOf(): return f"{v.unit}({print_value(v.value)})"
        case t.EntityLookup(): return f"{q(v.entity)}({print_value(v.name)})"
        case t.Subquery(): return f"({print_stmt(v.statement)})"
        case t.Parameter(): return f"${v.name}"
        case t.NameValue(): return print_path(v.path)
        case t.Member(): return print_value(v.base)+"".join("."+q(n) for n in v.names)
        case t.ListValue(): return "["+", ".join(map(print_value,v.items))+"]"
def left(l): return print_path(l) if isinstance(l,t.Path) else print_measure(l) if isinstance(l,t.Measure) else f"{l.unit}({print_path(l.path)})"
def print_condition(c,lvl=0):
    match c:
        case t.And(): x=" and ".join(print_condition(i,2) for i in c.items); return f"({x})" if lvl>1 else x
        case t.Or(): x=" or ".join(print_condition(i,1) for i in c.items); return f"({x})" if lvl>0 else x
        case t.Not(): return "not "+print_condition(c.item,2)
        case t.Comparison(): return f"{left(c.left)} {c.operator} {print_value(c.right)}"
        case t.Between(): return f"{left(c.left)} between {print_value(c.low)} and {print_value(c.high)}"
        case t.Presence(): return f"{left(c.left)} {'missing' if c.missing else 'exists'}"
        case t.Within(): return f"{left(c.left)} within {print_value(c.distance)} of ({c.point.latitude.text}, {c.point.longitude.text})"
        case t.Bare(): return print_path(c.path)
        case t.EntityText(): return f"{c.operator} {print_value(c.text)}"
def print_measure(m):
    if m.function=="count": return "count"
    if m.function=="share": return f"share({print_condition(m.condition)})"
    return f"{m.function}({print_path(m.path)}{', '+m.argument.text if m.argument else ''})"
def print_group(g):
    x=print_path(g.path)
    if g.function: x=f"{g.function}({', '.join([x]+[print_value(n) for n in g.arguments])})"
    return x+(f" top {g.top}" if g.top else "")
def keys(ks): return ", ".join((print_path(k.key) if isinstance(k.key,t.Path) else print_measure(k.key) if isinstance(k.key,t.Measure) else print_group(k.key))+(" desc" if k.descending else "") for k in ks)
def print_stmt(s):
    if isinstance(s,t.Get): return "get "+", ".join(print_value(i) if isinstance(i,t.Member) else print_path(i) for i in s.items)
    if isinstance(s,t.Find): o=["find "+(q(s.entity) if isinstance(s.entity,t.Name) else print_value(s.entity))]
    else:
        ms=", ".join(map(print_measure,s.measures)); o=[f"{ms} {q(s.entity)}" if ms=="count" else f"{ms} of {q(s.entity)}"]
    if s.where: o.append("where "+print_condition(s.where))
    if isinstance(s,t.Aggregate):
        if s.groups: o.append("by "+", ".join(map(print_group,s.groups)))
        if s.having: o.append("having "+print_condition(s.having))
    if s.sort: o.append("sort "+keys(s.sort))
    if s.limit is not None: o.append(f"limit {s.limit}")
    if s.offset: o.append(f"offset {s.offset}")
    if isinstance(s,t.Find) and s.show: o.append("show "+", ".join(map(print_path,s.show)))
    return " ".join(o)
def print_program(p,width=None): return "\n".join([f"let {q(l.name)} = {print_value(l.value)}" for l in p.lets]+[print_stmt(p.statement)])
